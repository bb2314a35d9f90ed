import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { storeRetentions } from '@kustos/database/retentions'
import { logArchives, logEntries, users } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { and, eq, gte, lt, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSeal } from '../src/logs/chain.ts'
import { archiveLog, makeLogPartitions, sealLog, verifyArchive, verifyLog } from '../src/logs/index.ts'
import { withAudit } from '../src/platform/audit.ts'
import { createContext } from '../src/platform/context.ts'

const database = await testDatabase()
const { db, owner } = database
const context = createContext(database)
const { signal } = new AbortController()
const folder = await mkdtemp(join(tmpdir(), 'kustos-archive-'))
afterAll(() => rm(folder, { recursive: true }))

const setRetention = (months: number | null) => storeRetentions(database.url, { log: months, records: null })
const archive = () => archiveLog(context, folder, signal)
const verify = () => verifyLog(context, null)

/** As if the log had been written at that time. */
async function recordAt(at: string, comments: readonly string[], requestId?: string): Promise<void> {
  await withAudit({ ...context, now: () => new Date(at), requestId }, (tx) =>
    tx.recordAll(
      comments.map((comment) => ({ log: 'webs', description: 'updated', attributes: { comment } })),
    ),
  )
}
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `Grüße "${n}"\n`)
const countBetween = (from: string, until: string) =>
  db.$count(
    logEntries,
    and(gte(logEntries.created_at, new Date(from)), lt(logEntries.created_at, new Date(until))),
  )

const readLines = async (path: string) =>
  gunzipSync(await readFile(path))
    .toString()
    .split('\n')
/** Verifies a changed copy of an archive. */
async function verifyCopy(file: string, change: (lines: string[]) => readonly string[]) {
  const copy = join(folder, 'copy.ndjson.gz')
  await writeFile(copy, gzipSync(change(await readLines(join(folder, file))).join('\n')))
  return (await verifyArchive(context, copy)).fault
}

const january = 'audit-2020-01-01-2020-02-01-seal-3.ndjson.gz'

beforeAll(async () => {
  await recordAt('2020-01-05T10:00:00Z', numbered(1200))
  // Written in January by a clock that was right again in February.
  await recordAt('2020-02-01T00:00:00Z', ['February'])
  await recordAt('2020-01-31T23:59:59.999Z', ['January'])
  await makeLogPartitions(context)
})

describe('archiving the audit log', () => {
  it('keeps everything unless a retention is set', async () => {
    await sealLog(context, signal)
    expect(await archive()).toBe(null)
    await setRetention(12 * 200)
    expect(await archive()).toBe(null)
    await setRetention(12)
    await expect(archiveLog(context, null, signal)).rejects.toThrow('AUDIT_ARCHIVE_DIR')
    expect(await countBetween('2020-01-01', '2020-02-01')).toBe(1201)
    await setRetention(null)
    expect(await archive()).toBe(null)
  })

  it('waits until all entries of the month are sealed', async () => {
    await setRetention(12)
    await recordAt('2020-01-07T00:00:00Z', ['late'])
    expect(await archive()).toBe(null)
    await sealLog(context, signal)
  })

  it('loses nothing if its process dies before the month is dropped', async () => {
    await writeFile(join(folder, `${january}.1234.partial`), 'half')
    const dying = {
      ...context,
      assertLease: () => Promise.reject(new Error('died')),
    }
    await expect(archiveLog(dying, folder, signal)).rejects.toThrow('died')
    expect(await countBetween('2020-01-01', '2020-02-01')).toBe(1202)
    expect(await readdir(folder)).toEqual([january])
    // The next process continues with the file, which only its owner may read.
    const { ino } = await stat(join(folder, january))
    expect(await archive()).toEqual({ file: january, entries: 1202 })
    const { ino: same, mode } = await stat(join(folder, january))
    expect([same, mode & 0o777]).toEqual([ino, 0o600])
  })

  it('leaves a log that is verified without the month, and notes the archive in it', async () => {
    expect(await countBetween('2020-01-01', '2020-02-01')).toBe(0)
    expect(await verify()).toMatchObject({ fault: null, sealed: 1, archived: 1202, unsealed: 1 })
    const [entry] = await db.select().from(logEntries).where(eq(logEntries.description, 'archived'))
    expect(entry?.properties.attributes).toEqual({
      file: january,
      from: '2020-01-01T00:00:00.000Z',
      until: '2020-02-01T00:00:00.000Z',
      rows: 1202,
    })
    expect(await verifyArchive(context, join(folder, january))).toMatchObject({ fault: null, entries: 1202 })
  })

  it('archives later entries of the month, from a wrong clock, in a second file', async () => {
    await recordAt('2020-01-20T00:00:00Z', ['from a wrong clock'])
    await sealLog(context, signal)
    expect(await archive()).toMatchObject({
      file: expect.stringContaining('2020-02-01-2020-03-01'),
      entries: 1,
    })
    expect(await archive()).toBe(null)
    await makeLogPartitions(context)
    const second = await archive()
    expect(second).toEqual({ file: january.replace('seal-3', 'seal-4'), entries: 1 })
    expect(await verify()).toMatchObject({ fault: null, archived: 1204 })
    expect((await verifyArchive(context, join(folder, second?.file ?? ''))).fault).toBe(null)
  })

  it('removes months without entries, too', async () => {
    await owner.pool.query("select make_log_partitions('2021-05-05')")
    const files = [await archive(), await archive(), await archive(), await archive()]
    expect(files.map((each) => each && [each.file, each.entries])).toEqual([
      ['audit-2021-05-01-2021-06-01-seal-0.ndjson.gz', 0],
      ['audit-2021-06-01-2021-07-01-seal-0.ndjson.gz', 0],
      ['audit-2021-07-01-2021-08-01-seal-0.ndjson.gz', 0],
      null,
    ])
    expect(await verify()).toMatchObject({ fault: null, archived: 1204 })
    expect((await verifyArchive(context, join(folder, files[0]?.file ?? ''))).fault).toBe(null)
  })

  it('does not drop a month for a file of its name with other entries', async () => {
    await recordAt('2022-03-03T00:00:00Z', ['March'])
    await makeLogPartitions(context)
    const { head } = (await sealLog(context, signal)) ?? {}
    const file = `audit-2022-03-01-2022-04-01-seal-${head?.split(':')[0]}.ndjson.gz`
    const lines = await readLines(join(folder, january))
    for (const content of [
      Buffer.from('no archive'),
      gzipSync(lines.join('\n')),
      gzipSync(
        JSON.stringify({
          kustos_audit_archive: 1,
          from: '2022-03-01T00:00:00.000Z',
          until: '2022-04-01T00:00:00.000Z',
          lastSeal: Number(head?.split(':')[0]),
        }),
      ),
    ]) {
      await writeFile(join(folder, file), content)
      await expect(archive()).rejects.toThrow()
      expect(await countBetween('2022-03-01', '2022-04-01')).toBe(1)
    }
    await rm(join(folder, file))
    expect(await archive()).toEqual({ file, entries: 1 })
  })

  it('lets a verification that begins while a month is dropped find nothing missing', async () => {
    await recordAt('2023-04-04T00:00:00Z', ['April'])
    await makeLogPartitions(context)
    await sealLog(context, signal)
    let verified: ReturnType<typeof verify> | undefined
    const dropping = {
      ...context,
      // The last step of the transaction, after the month is dropped.
      async lockSession() {
        verified = verify()
        await expect.poll(database.waitingStatements).toHaveLength(1)
      },
    }
    expect(await archiveLog(dropping, folder, signal)).toMatchObject({ entries: 1 })
    expect(await verified).toMatchObject({ fault: null })
  })
})

it('holds up requests only briefly while a backup reads users, and drops the month afterwards', async () => {
  await recordAt('2023-05-05T00:00:00Z', ['May'])
  await makeLogPartitions(context)
  await sealLog(context, signal)
  const backup = await owner.pool.connect()
  await backup.query('begin isolation level repeatable read read only')
  await backup.query('select from users')
  const archiving = expect(archive()).rejects.toThrow()
  await expect.poll(database.waitingStatements, { interval: 5, timeout: 5_000 }).toHaveLength(1)
  const startedAt = performance.now()
  await db.select().from(users)
  expect(performance.now() - startedAt).toBeLessThan(1_000)
  await archiving
  await backup.query('commit')
  backup.release()
  expect(await archive()).toMatchObject({ entries: 1 })
})

it('archives the ids of requests, by which entries are found', async () => {
  await recordAt('2023-06-06T00:00:00Z', ['June'], '3964a8f2-af9d')
  await makeLogPartitions(context)
  await sealLog(context, signal)
  const { file } = (await archive()) ?? { file: '' }
  expect((await readLines(join(folder, file))).filter((line) => line.includes('June'))).toEqual([
    expect.stringContaining('3964a8f2-af9d'),
  ])
  expect(await verifyCopy(file, (lines) => lines)).toBe(null)
  const forged = await verifyCopy(file, (lines) => lines.map((line) => line.replace('3964a8f2', '00000000')))
  expect(forged).toMatch(/was changed after seal/)
})

describe('verifying an archive', () => {
  const entryAt = 3

  it.each([
    [
      'a changed entry',
      (lines: string[]) => lines.with(entryAt, lines[entryAt]?.replace('Grüße', 'Grusse') ?? ''),
      /was changed/,
    ],
    ['a missing entry', (lines: string[]) => lines.toSpliced(entryAt, 1), /is missing/],
    ['an added entry', (lines: string[]) => lines.toSpliced(entryAt, 0, lines[entryAt] ?? ''), /was added/],
    [
      'a missing seal with its entries',
      (lines: string[]) => lines.slice(0, 1002),
      /1202 entries were archived, and the file has 1000/,
    ],
    [
      'another time',
      (lines: string[]) => lines.with(0, lines[0]?.replace('2020-02-01', '2020-02-02') ?? ''),
      /is missing/,
    ],
    [
      'an archive that was never recorded',
      (lines: string[]) => lines.with(0, lines[0]?.replace('"lastSeal":3', '"lastSeal":4') ?? ''),
      /1 entries were archived/,
    ],
    [
      'a forged seal',
      (lines: string[]) => lines.with(1, lines[1]?.replace(/"hash":"./, '"hash":"x') ?? ''),
      /Seal 1 was changed/,
    ],
  ])('finds %s', async (_, change, sentence) => {
    expect(await verifyCopy(january, (lines) => lines)).toBe(null)
    expect(await verifyCopy(january, change)).toMatch(sentence)
  })

  it('finds that other entries were archived, though as many', async () => {
    const setHash = (hash: string | undefined) =>
      owner.db.transaction(async (tx) => {
        await tx.execute(sql`alter table log_archives disable trigger log_archives_only_grow`)
        await tx.update(logArchives).set({ entries_hash: hash }).where(eq(logArchives.file, january))
        await tx.execute(sql`alter table log_archives enable trigger log_archives_only_grow`)
      })
    const [recorded] = await db.select().from(logArchives).where(eq(logArchives.file, january))
    await setHash('0'.repeat(64))
    expect(await verifyCopy(january, (lines) => lines)).toBe('The entries are not those that were archived.')
    await setHash(recorded?.entries_hash)
    expect(await verifyCopy(january, (lines) => lines)).toBe(null)
  })

  it('finds seals of another chain', async () => {
    const other = createSeal({ number: 0, hash: '0'.repeat(64) }, [], new Date())
    const forged = (lines: string[]) => [lines[0] ?? '', JSON.stringify(other)]
    expect(await verifyCopy(january, forged)).toMatch(/changed|not those of this database/)
  })

  it.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, 5000)],
    ['empty', () => Buffer.alloc(0)],
    ['not compressed', () => Buffer.from('{}')],
    ['of other lines', () => gzipSync('{"kustos_audit_archive":2}')],
    ['without a header', () => gzipSync('["1"]')],
  ])('rejects a file that is %s with a sentence', async (_, change) => {
    const path = join(folder, 'copy.ndjson.gz')
    await writeFile(path, change(await readFile(join(folder, january))))
    await expect(verifyArchive(context, path)).rejects.toThrow(/is not an archive of the audit log/)
  })
})

describe('the application', () => {
  it.each([
    ['set the retention', 'update log_settings set retention_months = 1'],
    ['record an archive', "insert into log_archives select 1, now(), now(), 'x', 0, ''"],
    ['forget an archive', 'delete from log_archives'],
    ['drop a partition', 'drop table log_entries_default'],
    [
      'drop a new month',
      `select drop_archived_log_partition('log_entries_${new Date().toISOString().slice(0, 7).replace('-', '_')}', 'x', 0, '', 0)`,
    ],
    [
      'drop the default partition',
      "select drop_archived_log_partition('log_entries_default', 'x', 0, '', 0)",
    ],
    ['drop another table', "select drop_archived_log_partition('users', 'x', 0, '', 0)"],
  ])('cannot %s', async (_, statement) => {
    await expect(database.pool.query(statement)).rejects.toMatchObject({ code: '42501' })
  })

  it('cannot drop a month with more entries than its archive', async () => {
    await recordAt('2018-08-08T00:00:00Z', ['August'])
    await makeLogPartitions(context)
    const drop = "select drop_archived_log_partition('log_entries_2018_08', 'x', 0, '', 0)"
    await expect(database.pool.query(drop)).rejects.toThrow('has 1 entries, its archive 0')
    expect(await countBetween('2018-08-01', '2018-09-01')).toBe(1)
  })
})

it('shows when the owner records an archive of entries that were simply deleted', async () => {
  await sealLog(context, signal)
  await owner.pool.query(`
    alter table log_entries disable trigger user;
    alter table log_entries_2018_08 disable trigger user;
    delete from log_entries where created_at < '2018-09-01';
    insert into log_archives select max(number), '2018-08-01', '2018-09-01', 'forged', 1, 'x' from log_seals`)
  expect((await verify()).fault).toMatch(/^The archive forged was recorded with 1 entries/)
})
