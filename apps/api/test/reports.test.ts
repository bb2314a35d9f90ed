import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installedBrowser, openBrowser } from '@kustos/clients/browser'
import { startQueueWorkers } from '@kustos/clients/queue'
import { reportsRoutes } from '@kustos/contract/reports'
import { inspections, logEntries, nodes, reportPdfs, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { createContext } from '@kustos/domain/platform/context'
import { createQueueWork } from '@kustos/domain/platform/jobs'
import { createReportSigner, printReport, printReportJob, verifyReport } from '@kustos/domain/reports'
import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type ApiClient, createUser, listen, signIn, withoutRedis } from './api-client.ts'
import { runInProcess } from './backup-commands.ts'
import { keepAudit } from './report-records.ts'

const database = await testDatabase()
const { db, owner } = database
const signer = createReportSigner([Buffer.alloc(32, 7)])
const [origin, unsignedOrigin] = [await listen(database, { reportSigner: signer }), await listen(database)]
const pems = signer?.keys.map((key) => key.public_key) ?? []
const at = new Date('2026-11-20T10:00:00Z')
const executable = await installedBrowser(process.env)

let staff: ApiClient
let nobody: ApiClient
beforeAll(async () => {
  await createUser(database, 'staff@kustos.test', ['view webs'])
  await createUser(database, 'other@kustos.test', ['edit webs', 'view queue', 'manage nodes'])
  ;[staff, nobody] = [await signIn(origin, 'staff@kustos.test'), await signIn(origin, 'other@kustos.test')]
})

let web = { id: 0, fqdn: '' }
let counter = 0
beforeEach(async () => {
  const fqdn = `www.hotel${++counter}.test`
  const row = { fqdn, fqdn_ascii: fqdn, customer: 'ALPEN', configured_ip: '192.0.2.7' }
  const [inserted] = await db.insert(webs).values(row).returning({ id: webs.id })
  web = { id: inserted?.id ?? 0, fqdn }
})

const path = (inspection: number, query = '') => `/api/inspections/${inspection}/report${query}`
const read = async (inspection: number, query = '', client = staff) => client.fetch(path(inspection, query))
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())
const refusal = async (response: Response) => {
  const { code } = (await response.json()) as { code: string }
  return [response.status, code]
}
const inspect = async (values: Partial<typeof inspections.$inferInsert>) => {
  const row = { web_id: web.id, kind: 'tracking', state: 'succeeded', created_at: at, ...values }
  const [inserted] = await db.insert(inspections).values(row).returning({ id: inspections.id })
  return inserted?.id ?? 0
}

describe('a report', () => {
  it('is a signed document in the language that is asked for, which opens as no page of Kustos', async () => {
    const inspection = await keepAudit(db, web)
    const response = await read(inspection, '?language=de')
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': `attachment; filename="tracking-report-${web.fqdn}-2026-11-20.html"`,
      'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none';/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    })
    const german = await bytesOf(response)
    expect(german.toString()).toContain(
      'Vor der Einwilligung wurde 1 einwilligungspflichtiger Dienst geladen',
    )
    expect(german.toString()).toContain(`Schlüssel ${signer?.keyId}`)
    const english = await bytesOf(await read(inspection))
    expect(english.toString()).toContain(
      'Before consent, 1 service that needs consent was loaded: Google Analytics',
    )
    const record = await bytesOf(await read(inspection, '?format=json'))
    const recordHash = createHash('sha256').update(record).digest('hex')
    for (const file of [german, english])
      expect(verifyReport(file, pems)).toEqual({ ok: true, recordHash, keyId: signer?.keyId })
    expect(JSON.parse(record.toString())).toMatchObject({ web, inspection, number: 1 })
    const entries = await db
      .select({ attributes: sql<object>`properties -> 'attributes'` })
      .from(logEntries)
      .where(and(eq(logEntries.subject_type, 'web'), eq(logEntries.subject_id, web.id)))
      .orderBy(logEntries.id)
    expect(entries.map(({ attributes }) => attributes)).toEqual(
      ['html', 'html', 'json'].map((report) => ({ report, inspection, record: recordHash })),
    )
  })

  it('as PDF answers 503 while Redis is down', async () => {
    const client = await signIn(await listen(database, await withoutRedis(database)), 'staff@kustos.test')
    const response = await read(await keepAudit(db, web), '?format=pdf', client)
    expect(response.headers.get('retry-after')).toBe('1')
    expect(await refusal(response)).toEqual([503, 'queue_unavailable'])
  })

  it('says that it is not signed where no key is configured', async () => {
    const inspection = await keepAudit(db, web)
    const client = await signIn(unsignedOrigin, 'staff@kustos.test')
    const file = await bytesOf(await read(inspection, '', client))
    expect(file.toString()).toContain('This file is not signed: no key is configured.')
    expect(verifyReport(file, pems)).toEqual({ ok: false, fault: 'unsigned' })
    expect(await (await client.fetch(reportsRoutes.listReportKeys.path)).json()).toEqual({ data: [] })
  })

  it('of an audit that confirms an earlier one says so, and has its own hash and signature', async () => {
    await keepAudit(db, web)
    const inspection = await keepAudit(db, web, new Date('2026-11-21T11:00:00Z'))
    const file = await bytesOf(await read(inspection))
    expect(file.toString()).toContain('found the same as the one of 20 November 2026')
    expect(file.toString()).toContain('SHA-256 of the record with the details')
    const record = await bytesOf(await read(inspection, '?format=json'))
    expect(verifyReport(file, pems)).toMatchObject({
      recordHash: createHash('sha256').update(record).digest('hex'),
    })
  })

  it('stays readable when the inspection was purged, since the record has what it needs', async () => {
    const inspection = await keepAudit(db, web)
    await db.delete(inspections).where(eq(inspections.id, inspection))
    expect((await read(inspection)).status).toBe(200)
  })
})

describe('there is no report', () => {
  it('for users who may not view webs, or not this one', async () => {
    const inspection = await keepAudit(db, web)
    expect((await read(inspection, '', nobody)).status).toBe(403)
    await db.update(webs).set({ deleted_at: at }).where(eq(webs.id, web.id))
    for (const format of ['html', 'pdf', 'json'])
      expect(await refusal(await read(inspection, `?format=${format}`))).toEqual([
        404,
        'inspection_not_found',
      ])
    await createUser(database, 'restorer@kustos.test', ['view webs', 'restore webs'])
    const restorer = await signIn(origin, 'restorer@kustos.test')
    expect((await read(inspection, '', restorer)).status).toBe(200)
  })

  it('of other inspections, of unfinished audits, and of those without a record', async () => {
    const [node] = await db
      .insert(nodes)
      .values({ name: `n${counter}`, plesk_fqdn: 'n.test' })
      .returning()
    const ofNode = await inspect({ web_id: null, node_id: node?.id ?? 0, kind: 'connection' })
    expect(await refusal(await read(ofNode))).toEqual([404, 'inspection_not_found'])
    expect(await refusal(await read(await inspect({ kind: 'refresh' })))).toEqual([
      409,
      'report_only_of_audits',
    ])
    expect(await refusal(await read(await inspect({ state: 'running' })))).toEqual([409, 'report_too_early'])
    const failed = await inspect({ state: 'failed' })
    expect(await refusal(await read(failed))).toEqual([404, 'report_record_missing'])
    expect(await refusal(await read(2_000_000_000))).toEqual([404, 'inspection_not_found'])
    expect((await read(failed, '?format=exe')).status).toBe(422)
    expect((await read(failed, '?language=fr')).status).toBe(422)
  })

  it('of a record or a screenshot that was altered', async () => {
    const inspection = await keepAudit(db, web)
    const tamper = (statement: string) =>
      owner.pool.query(`begin; set local session_replication_role = replica; ${statement}; commit`)
    await tamper('update tracking_images set content = content || content')
    expect(await refusal(await read(inspection))).toEqual([409, 'report_record_altered'])
    await tamper('delete from tracking_images')
    expect((await bytesOf(await read(inspection))).toString()).toContain('The screenshot cannot be shown.')
    await tamper(
      `update tracking_records set content = replace(content, 'ALPEN', 'ANDRE') where web_id = ${web.id}`,
    )
    expect(await refusal(await read(inspection))).toEqual([409, 'report_record_altered'])
  })
})

describe('a PDF', () => {
  async function startPrinting(browser: Parameters<typeof printReport>[1]) {
    const context = createContext(database)
    let printed = 0
    // A job that comes late finds the document printed, and prints nothing.
    const counting = browser && {
      print: (...page: Parameters<typeof browser.print>) => {
        printed += 1
        return browser.print(...page)
      },
    }
    const work = createQueueWork(printReportJob, 2, ({ document }, signal) =>
      printReport(context, counting, document, signal),
    )
    const settings = { databaseUrl: database.url, redisUrl: undefined, onError: () => undefined }
    const workers = await startQueueWorkers(settings, [work])
    onTestFinished(() => workers.stop())
    return () => printed
  }

  it('is refused with a reason where no browser is configured, while HTML works', async () => {
    await startPrinting(null)
    const inspection = await keepAudit(db, web)
    expect(await refusal(await read(inspection, '?format=pdf'))).toEqual([409, 'report_browser_missing'])
    expect((await read(inspection)).status).toBe(200)
  })

  it('is refused with the reason of the browser, and tried again when it is asked for again', async () => {
    const printed = await startPrinting({
      print: async () => ({ outcome: 'failed', reason: { code: 'visit_crashed' } }),
    })
    const inspection = await keepAudit(db, web)
    for (const _ of [1, 2])
      expect(await refusal(await read(inspection, '?format=pdf'))).toEqual([502, 'report_not_printed'])
    expect(printed()).toBe(2)
  })

  it.skipIf(executable === null)('is printed once for all who ask at once, and signed', async () => {
    const browser = openBrowser({ executable: executable ?? '', sandbox: 'optional' })
    onTestFinished(() => browser.close())
    const printed = await startPrinting(browser)
    const inspection = await keepAudit(db, web)
    const responses = await Promise.all([1, 2, 3].map(() => read(inspection, '?format=pdf')))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    const [file = Buffer.alloc(0), ...others] = await Promise.all(responses.map(bytesOf))
    expect(printed()).toBe(1)
    expect(others).toEqual([file, file])
    expect(responses[0]?.headers.get('content-type')).toBe('application/pdf')
    expect(file.subarray(0, 5).toString()).toBe('%PDF-')
    expect(file.length).toBeGreaterThan(10_000)
    expect(verifyReport(file, pems)).toMatchObject({ ok: true })
    const altered = Buffer.from(file)
    altered.writeUInt8(altered.readUInt8(1_000) ^ 1, 1_000)
    expect(verifyReport(altered, pems)).toEqual({ ok: false, fault: 'altered' })
    const [row] = await db
      .select()
      .from(reportPdfs)
      .where(eq(reportPdfs.pdf, file.subarray(0, -289)))
    expect(row?.html).toContain(web.fqdn)
  })
})

it('publishes the public keys to everybody, with which the command line verifies a report', async () => {
  const { data } = (await (await fetch(origin + reportsRoutes.listReportKeys.path)).json()) as {
    data: { id: string; public_key: string }[]
  }
  expect(data).toEqual([
    {
      id: signer?.keyId,
      algorithm: 'Ed25519',
      public_key: expect.stringContaining('BEGIN PUBLIC KEY'),
      current: true,
    },
  ])
  const folder = await mkdtemp(join(tmpdir(), 'kustos-report-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [report, key] = [join(folder, 'report.html'), join(folder, 'kustos.pem')]
  const file = await bytesOf(await read(await keepAudit(db, web)))
  await writeFile(key, data[0]?.public_key ?? '')
  const verify = async (content: Buffer) => {
    await writeFile(report, content)
    await runInProcess(['report:verify', report, '--public-key', key], database)
  }
  await verify(file)
  const altered = Buffer.from(file.toString().replace('1 service', '0 services'))
  await expect(verify(altered)).rejects.toThrow(`${report}: it was altered after it was signed.`)
})

it('the command line verifies all records', async () => {
  const verify = () => runInProcess(['records:verify'], database)
  await keepAudit(db, web)
  await owner.pool.query(`begin; set local session_replication_role = replica;
    delete from tracking_records where web_id <> ${web.id}; commit`)
  await verify()
  await owner.pool.query(`begin; set local session_replication_role = replica;
    delete from tracking_images; commit`)
  await expect(verify()).rejects.toThrow(
    `A screenshot of Record 1 of web ${web.id} is missing or was changed.`,
  )
  await owner.pool.query(`begin; set local session_replication_role = replica;
    update tracking_records set content = content || ' '; commit`)
  await expect(verify()).rejects.toThrow(`Record 1 of web ${web.id} was changed.`)
})
