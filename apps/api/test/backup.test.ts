import { randomBytes } from 'node:crypto'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { writeBackup } from '@kustos/database/backup'
import { openDatabase } from '@kustos/database/client'
import { migrate } from '@kustos/database/migrations'
import { logEntries, webs } from '@kustos/database/tables'
import { type TestDatabase, testDatabase } from '@kustos/database/testing'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { ApiClient, createUser, listen } from './api-client.ts'
import { getRestoreError, kustos } from './backup-commands.ts'
import { describeSchema, insertUnusualRows, summarizeContents, unusualTexts } from './backup-rows.ts'

const source = await testDatabase()
const folder = mkdtempSync(join(tmpdir(), 'kustos-backup-'))
afterAll(() => rmSync(folder, { recursive: true }))
const buildPath = (name: string) => join(folder, name)

const success = { code: 0, err: '' }
const createEmptyDatabase = () => testDatabase({ empty: true })
const backupFile = buildPath('whole')

beforeAll(async () => {
  await insertUnusualRows(source)
  const { code, err } = await kustos(['backup', backupFile], source)
  expect([code, err]).toEqual([
    0,
    expect.stringMatching(
      /^Backup of \S+Z, schema \d{4}_\w+, to \S+: \d+ rows in \d+ tables, [\d.]+ MB\.\n$/,
    ),
  ])
})

/** What a restore advances, so that nothing from after the backup is taken for something new. */
const advanced = ['revisions', 'deployments', 'deployments_id_seq']
const withoutAdvanced = (contents: Record<string, string>) =>
  Object.fromEntries(Object.entries(contents).filter(([name]) => !advanced.includes(name)))

/** The expected contents after a restore, which signs everyone out. */
function expectRestored(contents: Record<string, string>) {
  const kept = Object.entries(withoutAdvanced(contents))
  return Object.fromEntries(
    kept.map(([name, is]) => [
      name,
      ['sessions', 'email_changes', 'sign_in_attempts', 'sign_in_limits', 'leases', 'report_pdfs'].includes(
        name,
      )
        ? '0 '
        : is,
    ]),
  )
}

describe('a backup restored into an empty database', async () => {
  const target = await createEmptyDatabase()

  it('has the same rows, sequences and schema', async () => {
    const before = await summarizeContents(source)
    expect(
      Object.entries(before).filter(
        ([name, is]) => !/_seq$|^log_entries_\d/.test(name) && is.startsWith('0 '),
      ),
      'tables that need rows in backup-rows.ts',
    ).toEqual([])
    const { code, out, err } = await kustos(['restore', backupFile, '--resume-deployments'], target)
    expect({ code, err }).toEqual(success)
    expect(out.toString()).toMatch(/^Restored the backup of .*All users must sign in again\./s)
    expect(out.toString()).toMatch(/Deployments in progress: 2, inspections: 2, unsent alerts: 2\./)
    expect(withoutAdvanced(await summarizeContents(target))).toEqual(expectRestored(before))
    const readDeployments = async ({ owner }: typeof target) =>
      (await owner.pool.query(`select to_jsonb(d) - 'epoch' as row from deployments d order by id`)).rows
    expect(await readDeployments(target)).toEqual(await readDeployments(source))
    const readEntries = async ({ owner }: typeof target) =>
      (await owner.pool.query(`select description, properties from log_entries where log_name = 'backups'`))
        .rows
    const attributes = { file: 'whole', rows: expect.any(Number), by: 'command line' }
    expect(await readEntries(source)).toMatchObject([
      { description: 'backup written', properties: { attributes } },
    ])
    expect(await readEntries(target)).toMatchObject([
      { description: 'backup restored', properties: { attributes } },
    ])
    expect(await describeSchema(target)).toEqual(await describeSchema(source))
    const { rows: partitions } = await target.owner.pool.query(
      `select tableoid::regclass::text as name, count(*)::int from statistics group by 1 order by 1`,
    )
    expect(partitions).toEqual(
      ['2026_03_29', '2026_10_25', '2026_11_20'].map((day) => ({ name: `statistics_${day}`, count: 3963 })),
    )
  })

  it('advances revisions, so that no cached list from after the backup counts as current', async () => {
    const revision = 'select revision::bigint::text from revisions'
    const [before, after] = await Promise.all(
      [source, target].map(async ({ pool }) => BigInt((await pool.query(revision)).rows[0].revision)),
    )
    expect((after ?? 0n) - (before ?? 0n)).toBeGreaterThan(0n)
    expect(Number(after)).toBeGreaterThan(Date.now() - 60_000)
  })

  it('serves the console, with new ids and an append-only log', async () => {
    await createUser(target, 'admin@kustos.test', 'admin')
    const client = new ApiClient(await listen(target))
    expect((await client.signIn('admin@kustos.test')).status).toBe(204)
    const list = await client.fetch('/api/webs')
    expect(list.status).toBe(200)
    expect(JSON.stringify(await list.json())).toContain(JSON.stringify(unusualTexts[1]).slice(1, -1))
    const [web] = await target.db
      .insert(webs)
      .values({ fqdn: 'new.test', fqdn_ascii: 'new.test', customer: 'K', configured_ip: '192.0.2.2' })
      .returning({ id: webs.id })
    // After the unusual rows, one with a long text, one without a text, and the skipped ids.
    expect(web?.id).toBe(unusualTexts.length + 2 + 50 + 1)
    await expect(target.owner.pool.query('delete from log_entries')).rejects.toThrow(/only grows/)
    await expect(target.db.delete(logEntries)).rejects.toThrow()
  })

  it('cannot be restored a second time', async () => {
    const before = await summarizeContents(target)
    expect(await getRestoreError(await readFile(backupFile), target)).toMatch(
      /^The database is not empty: there is \S+, and \d+ more\./,
    )
    expect(await summarizeContents(target)).toEqual(before)
  })
})

describe('a backup', async () => {
  const live = await createEmptyDatabase()
  const old = await createEmptyDatabase()
  const oldRestored = await createEmptyDatabase()

  it('contains a single snapshot although others write', async () => {
    const stop = new AbortController()
    const started = Promise.withResolvers<void>()
    const write = async () => {
      for (let i = 0; !stop.signal.aborted; i++) {
        if (i === 5) started.resolve()
        // Each statement inserts a web and its log entry in one transaction.
        await source.pool.query(
          `with web as (insert into webs (fqdn, fqdn_ascii, customer, configured_ip)
          values ($1, $1, 'LIVE', '192.0.2.9') returning id)
        insert into log_entries (created_at, log_name, description, subject_type, subject_id, properties)
          select now(), 'live', 'created', 'web', id, '{}' from web`,
          [`live${i}.test`],
        )
      }
    }
    const writing = write()
    await started.promise
    const path = buildPath('live')
    await writeBackup(source.url, createWriteStream(path))
    stop.abort()
    await writing
    expect(await getRestoreError(await readFile(path), live)).toBe(null)
    const count = (where: string, { owner }: TestDatabase) =>
      owner.pool.query(where).then(({ rows }) => rows[0].count as number)
    const liveWebs = "select count(*)::int from webs where customer = 'LIVE'"
    const [restored, all] = await Promise.all([count(liveWebs, live), count(liveWebs, source)])
    expect(restored).toBeGreaterThan(4)
    expect(restored).toBeLessThan(all)
    expect(await count("select count(*)::int from log_entries where log_name = 'live'", live)).toBe(restored)
    // Writes after the snapshot may have advanced the sequence.
    const { rows } = await live.owner.pool.query(
      'select (select max(id) from webs) <= (select last_value from webs_id_seq) as ahead',
    )
    expect(rows).toEqual([{ ahead: true }])
  })

  it('of an older schema is restored and migrated', async () => {
    await migrate(old.url, '0007_watched_until')
    await old.owner.pool.query(`
    insert into webs (fqdn, fqdn_ascii, customer, configured_ip) values ('a.test', 'a.test', 'ALT', '192.0.2.1');
    create table statistics_2026_03_29 partition of statistics for values from ('2026-03-28T23:00:00Z') to ('2026-03-29T22:00:00Z');
    insert into statistics values (1, '2026-03-29T01:00:00Z', '2026-03-29T01:00:00Z', 200, 5, 'up', null);
    insert into log_entries (created_at, log_name, description, properties) values (now(), 'webs', 'alt', '{}');
    create table unrelated_copy (id int)`)
    const path = buildPath('old')
    const { header } = await writeBackup(old.url, createWriteStream(path))
    expect(header.schema.tag).toBe('0007_watched_until')
    expect(await getRestoreError(await readFile(path), oldRestored)).toBe(null)
    // Reads as the application role, which a later migration introduced.
    const { rows } = await oldRestored.pool.query(
      'select customer, (select count(*)::int from statistics) as probes from webs',
    )
    expect(rows).toEqual([{ customer: 'ALT', probes: 1 }])
    await migrate(old.url)
    await old.owner.pool.query('drop table unrelated_copy')
    expect(await describeSchema(oldRestored)).toEqual(await describeSchema(old))
  })
})

describe('a login without superuser rights', () => {
  const name = `restored_${randomBytes(6).toString('hex')}`
  const { url: server } = inject('testPostgres')
  const superuser = openDatabase(server, { max: 1, name: 'kustos-test', asLogin: true })
  const buildUrl = (login: string) => {
    const url = new URL(server)
    url.pathname = `/${name}`
    url.username = login
    url.password = 'plain'
    return url.href
  }
  const [ownerLogin, programLogin] = [`${name}_owner`, `${name}_programs`]

  beforeAll(async () => {
    for (const login of [ownerLogin, programLogin]) {
      await superuser.pool.query(`create role ${login} login password 'plain' noinherit`)
      await superuser.pool.query(`grant kustos_application to ${login} with inherit false, set true`)
    }
    await superuser.pool.query(`create database ${name} owner ${ownerLogin} template template0`)
  })
  afterAll(async () => {
    await superuser.pool.query(`drop database if exists ${name} with (force)`)
    for (const login of [programLogin, ownerLogin]) await superuser.pool.query(`drop role if exists ${login}`)
    await superuser.close()
  })

  it('backs up and restores databases that it owns, and is rejected for others', async () => {
    const bytes = await readFile(backupFile)
    expect(await getRestoreError(bytes, { url: buildUrl(programLogin) })).toMatch(
      /takes the login that owns the database/,
    )
    expect(await getRestoreError(bytes, { url: buildUrl(ownerLogin) })).toBe(null)
    const owner = openDatabase(buildUrl(ownerLogin), { max: 1, name: 'kustos-test', asLogin: true })
    const { log_entries: entries } = await summarizeContents({ owner })
    expect(entries).toMatch(/^6000 /)
    await expect(owner.pool.query('delete from log_entries')).rejects.toThrow(/only grows/)
    await owner.close()
    const again = await writeBackup(buildUrl(ownerLogin), new PassThrough().resume())
    expect(again.rows).toBeGreaterThan(6000)
    await expect(writeBackup(buildUrl(programLogin), new PassThrough().resume())).rejects.toThrow(
      /takes the login that owns the database/,
    )
  })
})
