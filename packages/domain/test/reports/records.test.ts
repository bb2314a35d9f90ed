import { storeRetentions } from '@kustos/database/retentions'
import { trackingImages, trackingRecords, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { asc, eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it, test } from 'vitest'
import { createContext } from '../../src/platform/context.ts'
import { dropOldRecords, verifyRecords } from '../../src/reports/index.ts'
import { type AuditRecord, sha256 } from '../../src/reports/record.ts'
import { addWeb } from '../web-row.ts'
import { auditOf, keepRecord, png, requested, visitOf } from './evidence.ts'

const database = await testDatabase()
const { db, owner } = database
const context = createContext(database)
const verify = () => verifyRecords(context)

let web = 0
let counter = 0
beforeEach(async () => {
  web = await addWeb(database, `hotel${++counter}.test`)
})

const keep = (at: string, more: Parameters<typeof keepRecord>[3] = {}) => keepRecord(db, at, web, more)
const shot = (phase: 'before' | 'accepted', image = png) => ({ phase, image })
const readRows = () =>
  db
    .select()
    .from(trackingRecords)
    .where(eq(trackingRecords.web_id, web))
    .orderBy(asc(trackingRecords.number))
const readContents = async () => (await readRows()).map(({ content }) => JSON.parse(content) as AuditRecord)
const countImages = () => db.$count(trackingImages)

describe('a record', () => {
  it('has the evidence, and names the record before it', async () => {
    const visit = await keep('2026-11-20T10:00:00.123Z', {
      inspection: { id: 71, isRequested: true },
      screenshots: [shot('before'), shot('accepted')],
    })
    const screenshot = { sha256: sha256(png), bytes: png.length }
    expect(visit?.screenshots).toEqual([
      { phase: 'before', ...screenshot },
      { phase: 'accepted', ...screenshot },
    ])
    await keep('2026-11-21T10:00:00Z', { audit: auditOf(null), browser: null })
    const rows = await readRows()
    const [first, second] = await readContents()
    expect(first).toEqual({
      kustos_record: 1,
      web: { id: web, fqdn: 'hotel.test', customer: 'ALPEN' },
      number: 1,
      previous: null,
      recorded_at: '2026-11-20T10:00:00.123Z',
      inspection: 71,
      requested: true,
      software: { name: 'Kustos', revision: 'abc123', browser: '140.0.1' },
      audit: { ...auditOf(), problem_codes: [], visit },
    })
    expect(second).toMatchObject({
      number: 2,
      previous: rows[0]?.hash,
      audit: { engine: 'static', visit: null },
    })
    expect(rows.map(({ content, hash }) => sha256(content) === hash)).toEqual([true, true])
    expect(await verify()).toMatchObject({ fault: null })
  })

  it('confirms the last one of the month with the same findings, without its screenshots', async () => {
    const before = await countImages()
    const startedAt = new Date('2026-11-22T09:58:00Z')
    const [first, other] = ['one moment', 'another'].map((text) => Buffer.concat([png, Buffer.from(text)]))
    await keep('2026-11-20T10:00:00Z', { screenshots: [shot('before', first)] })
    const audit = auditOf(visitOf({ asked: [requested({ url: 'https://www.google-analytics.com/?_p=9' })] }))
    const visit = await keep('2026-11-21T10:00:00Z', { audit, screenshots: [shot('before', other)] })
    await keep('2026-11-22T10:00:00Z', { inspection: { id: 9, isRequested: false }, startedAt })
    const rows = await readRows()
    expect(rows.map(({ confirms, inspection_id }) => [confirms, inspection_id])).toEqual([
      [null, null],
      [1, null],
      [1, 9],
    ])
    const [, , third] = await readContents()
    expect(third).toMatchObject({ confirms: { number: 1, hash: rows[0]?.hash }, previous: rows[1]?.hash })
    expect(third).toMatchObject({
      started_at: startedAt.toISOString(),
      recorded_at: '2026-11-22T10:00:00.000Z',
    })
    expect(third).not.toHaveProperty('audit')
    expect(rows[2]?.content.length).toBeLessThan(500)
    expect(visit?.screenshots).toBe(undefined)
    expect(await countImages()).toBe(before + 1)
  })

  it.each([
    ['somebody asked for the audit', '2026-11-21T10:00:00Z', { inspection: { id: 5, isRequested: true } }],
    ['the month is another one', '2026-12-01T00:00:00Z', {}],
    ['the findings differ', '2026-11-21T10:00:00Z', { audit: auditOf(visitOf({ refused: null })) }],
    ['another revision has found them', '2026-11-21T10:00:00Z', { revision: 'def456' }],
    [
      'the page has led to another website',
      '2026-11-21T10:00:00Z',
      { audit: { ...auditOf(), leads_to: 'https://b.test/' } },
    ],
  ])('has the evidence again where %s', async (_, at, more) => {
    await keep('2026-11-20T10:00:00Z')
    await keep('2026-11-20T11:00:00Z')
    await keep(at, more)
    expect((await readRows()).map(({ confirms }) => confirms)).toEqual([null, 1, null])
  })

  it('keeps the chain where audits of a website end at the same time', async () => {
    const audit = () =>
      db.transaction(async (tx) => {
        await tx.select().from(webs).where(eq(webs.id, web)).for('no key update')
        return keepRecord({ transaction: (work) => work(tx) }, '2027-03-01T10:00:00Z', web)
      })
    await Promise.all(Array.from({ length: 6 }, audit))
    expect((await readRows()).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6])
    expect(await verify()).toMatchObject({ fault: null })
  })

  it('is stored however pages spell their texts', async () => {
    const text = '\u0000 \ud800 \u2028 </script> 🦆'
    await keep('2026-11-20T10:00:00Z', { audit: auditOf(visitOf({ asked: [requested({ url: text })] })) })
    await keep('2026-11-20T11:00:00Z', {
      audit: auditOf(visitOf({ asked: [requested({ initiator: 'x'.repeat(2_000_000), host: 'b.test' })] })),
    })
    const [first, second] = await readRows()
    expect(JSON.parse(first?.content ?? '')).toMatchObject({ audit: { visit: { asked: [{ url: text }] } } })
    expect(second?.content.length).toBeLessThan(20_000)
    expect(await verify()).toMatchObject({ fault: null })
  })
})

test('partitions of a month are created once by audits that begin it together', async () => {
  const others = await Promise.all([1, 2, 3, 4].map((n) => addWeb(database, `first${n}.test`)))
  await Promise.all(others.map((id) => keepRecord(db, '2031-05-01T00:00:00Z', id)))
  await keep('1999-12-31T23:59:59.999Z')
  const { rows } = await owner.pool.query(
    "select relname from pg_class where relkind = 'r' and relname ~ '^tracking_(records|images)_(2031_05|1999_12)$' order by 1",
  )
  expect(rows.map(({ relname }) => relname)).toEqual([
    'tracking_images_1999_12',
    'tracking_images_2031_05',
    'tracking_records_1999_12',
    'tracking_records_2031_05',
  ])
})

describe('what was recorded', () => {
  const refusal = { code: '42501' }

  it.each([
    "update tracking_records set content = ''",
    'update tracking_records set hash = hash where false',
    'delete from tracking_records',
    'truncate tracking_records',
    "update tracking_images set content = ''",
    'delete from tracking_images',
    'truncate tracking_images',
    'delete from tracking_records_2026_11',
    'drop table tracking_records_2026_11',
    'alter table tracking_records disable trigger all',
    'alter table tracking_records detach partition tracking_records_2026_11',
    "select create_record_table('own', 'tracking_records')",
    'insert into log_settings (record_retention_months) values (1)',
    'update log_settings set record_retention_months = 1',
    "insert into tracking_images values ('a', '2026-11-01', '') on conflict (sha256, month) do update set content = ''",
  ])('stays as it is for "%s" of the application', async (statement) => {
    await keep('2026-11-20T10:00:00Z', { screenshots: [shot('before')] })
    const before = await readRows()
    await expect(database.pool.query(statement)).rejects.toMatchObject(refusal)
    expect(await readRows()).toEqual(before)
  })

  it.each([
    'delete from tracking_records',
    'truncate tracking_images',
    "update tracking_records_2026_11 set hash = ''",
  ])('stays as it is for "%s" of the owner while the triggers exist', async (statement) => {
    await expect(owner.pool.query(statement)).rejects.toMatchObject(refusal)
  })
})

describe('verification', () => {
  /** What only the owner can do, undone afterwards. */
  async function tampered(statement: string) {
    const client = await owner.pool.connect()
    try {
      await client.query(`begin; set local session_replication_role = replica; ${statement}`)
      const { drizzle } = await import('drizzle-orm/node-postgres')
      const tx = drizzle(client)
      // The change is not committed, so the verification has to run in the same transaction.
      const transaction = (work: (of: typeof tx) => unknown) => work(tx)
      return (await verifyRecords({ db: { transaction } as unknown as typeof db })).fault
    } finally {
      await client.query('rollback')
      client.release()
    }
  }

  it('names the first record that is not as it was', async () => {
    await keep('2026-10-20T10:00:00Z', { screenshots: [shot('before')] })
    await keep('2026-10-21T10:00:00Z')
    await keep('2026-11-22T10:00:00Z')
    const where = (number: number) => `where web_id = ${web} and number = ${number}`
    const forged = `encode(sha256(convert_to(replace(content, 'ALPEN', 'ANDRE'), 'UTF8')), 'hex')`
    const name = (number: number) => `Record ${number} of web ${web}`
    expect(await tampered('select 1')).toBe(null)
    expect(
      await tampered(`update tracking_records set content = replace(content, 'ALPEN', 'ANDRE') ${where(1)}`),
    ).toBe(`${name(1)} was changed.`)
    const rewrite = `update tracking_records set content = replace(content, 'ALPEN', 'ANDRE'), hash = ${forged} ${where(1)}`
    expect(await tampered(rewrite)).toBe(`${name(2)} does not continue record 1.`)
    for (const content of [
      'no record',
      'null',
      '"text"',
      '{"number": 2}',
      '{"web": {"id": 1}, "audit": null}',
    ])
      expect(
        await tampered(
          `update tracking_records set content = '${content}', hash = encode(sha256('${content}'), 'hex') ${where(2)}`,
        ),
      ).toBe(`${name(2)} was changed: its columns differ from its content.`)
    expect(await tampered(`delete from tracking_records ${where(2)}`)).toBe(`${name(2)} is missing.`)
    expect(await tampered(`update tracking_records set inspection_id = 4711 ${where(3)}`)).toBe(
      `${name(3)} was changed: its columns differ from its content.`,
    )
    expect(await tampered(`update tracking_images set content = '' where month = '2026-10-01Z'`)).toBe(
      `A screenshot of ${name(1)} is missing or was changed.`,
    )
  })
})

describe('the retention', () => {
  it('drops whole months with their screenshots, and the rest of the chain is still verified', async () => {
    await keep('2001-01-31T23:59:59Z', { screenshots: [shot('before')] })
    await keep('2001-02-01T00:00:00Z', { screenshots: [shot('before')] })
    await keep('2001-02-02T00:00:00Z')
    expect(await dropOldRecords(context)).toBe(null)
    const months = await monthsSince('2001-02-01')
    await storeRetentions(database.url, { log: null, records: months })
    expect((await dropOldRecords(context))?.partitions).toContain('tracking_records_2001_01')
    expect((await readRows()).map(({ number, confirms }) => [number, confirms])).toEqual([
      [2, null],
      [3, 2],
    ])
    expect(await db.$count(trackingImages, sql`month = '2001-01-01Z'`)).toBe(0)
    expect(await db.$count(trackingImages, sql`month = '2001-02-01Z'`)).toBe(1)
    expect(await verify()).toMatchObject({ fault: null })
    expect(await dropOldRecords(context)).toBe(null)
  })

  it('drops no month that is being verified, whose screenshots would seem to be missing', async () => {
    await keep('2001-03-01T00:00:00Z', { screenshots: [shot('before')] })
    await storeRetentions(database.url, { log: null, records: await monthsSince('2001-04-01') })
    const dropping = await owner.pool.connect()
    await dropping.query('begin')
    // Stops the verification between a record and its screenshots.
    await dropping.query('lock table tracking_images in access exclusive mode')
    const verified = verify()
    await expect.poll(database.waitingStatements, { timeout: 10_000 }).toHaveLength(1)
    await dropping.query(`set local lock_timeout = '200ms'`)
    const end = await dropping.query('select drop_old_records()').then(
      () => 'commit',
      () => 'rollback',
    )
    await dropping.query(end)
    dropping.release()
    expect(await verified).toMatchObject({ fault: null })
    expect(await dropOldRecords(context)).not.toBe(null)
  })

  const monthsSince = async (day: string) => {
    const { rows } = await owner.pool.query<{ months: number }>(
      "select (extract(year from age) * 12 + extract(month from age))::int as months from age(date_trunc('month', now() at time zone 'UTC'), $1) age",
      [day],
    )
    return rows[0]?.months ?? 0
  }
})
