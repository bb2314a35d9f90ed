import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { chmod, lstat, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { restoreBackup, writeBackup } from '@kustos/database/backup'
import { openDatabase } from '@kustos/database/client'
import { migrate } from '@kustos/database/migrations'
import { logEntries, roles, webs } from '@kustos/database/tables'
import { type TestDatabase, testDatabase } from '@kustos/database/testing'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { run } from '../src/commands/run.ts'
import { contentsOf, fillOddly, oddTexts, schemaOf } from './backup-rows.ts'
import { createUser, listen, Visitor } from './visitor.ts'

const source = await testDatabase()
const folder = mkdtempSync(join(tmpdir(), 'kustos-backup-'))
afterAll(() => rmSync(folder, { recursive: true }))
const pathOf = (name: string) => join(folder, name)

/** Runs the command as an operator does. */
async function kustos(
  words: readonly string[],
  { url }: Pick<TestDatabase, 'url'>,
  input?: Buffer,
): Promise<{ code: number; out: Buffer; err: string }> {
  const program = fileURLToPath(new URL('../src/kustos.ts', import.meta.url))
  const child = spawn(process.execPath, [program, ...words], {
    env: { ...process.env, DATABASE_URL: url },
  })
  child.stdin.end(input)
  const [out, err, [code]] = await Promise.all([
    buffer(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code, out, err }
}

/** The same in this process, for what is over quickly. */
async function runHere(words: readonly string[], { url }: Pick<TestDatabase, 'url'>): Promise<void> {
  vi.stubEnv('DATABASE_URL', url)
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  try {
    await run(words)
  } finally {
    said.mockRestore()
    vi.unstubAllEnvs()
  }
}

/** @returns what is said of the file; null where it is restored */
const refusalOf = (bytes: Buffer, { url }: Pick<TestDatabase, 'url'>): Promise<string | null> =>
  restoreBackup(url, Readable.from(inPieces(bytes))).then(
    () => null,
    (error: Error) => error.message,
  )

/** As a file is read. */
function* inPieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

const fine = { code: 0, err: '' }
const emptyDatabase = () => testDatabase({ empty: true })
const whole = pathOf('whole')

beforeAll(async () => {
  await fillOddly(source)
  const { code, err } = await kustos(['backup', whole], source)
  expect([code, err]).toEqual([
    0,
    expect.stringMatching(
      /^Backup of \S+Z, schema \d{4}_\w+, to \S+: \d+ rows of \d+ tables, [\d.]+ MB\.\n$/,
    ),
  ])
})

/** What a restore is not to bring back: it signs everybody out, and moves the revisions on. */
function expected(contents: Record<string, string>) {
  const kept = Object.entries(contents).filter(([name]) => name !== 'revisions')
  return Object.fromEntries(
    kept.map(([name, is]) => [name, name === 'sessions' || name === 'sign_in_attempts' ? '0 ' : is]),
  )
}

describe('a backup restored into an empty database', async () => {
  const target = await emptyDatabase()

  it('leaves it with the same rows in every table, the same sequences and the same schema', async () => {
    const before = await contentsOf(source)
    expect(
      Object.entries(before).filter(([name, is]) => !name.endsWith('_seq') && is.startsWith('0 ')),
      'tables that need rows in backup-rows.ts',
    ).toEqual([])
    const { code, out, err } = await kustos(['restore', whole], target)
    expect({ code, err }).toEqual(fine)
    expect(out.toString()).toMatch(/^Restored the backup of .*Everybody has to sign in again\./s)
    expect(out.toString()).toMatch(/Deployments under way: 2, inspections: 2, alerts to send: 2\./)
    const { revisions: _, ...after } = await contentsOf(target)
    expect(after).toEqual(expected(before))
    expect(await schemaOf(target)).toEqual(await schemaOf(source))
    const { rows: partitions } = await target.owner.pool.query(
      `select tableoid::regclass::text as name, count(*)::int from statistics group by 1 order by 1`,
    )
    expect(partitions).toEqual(
      ['2026_03_29', '2026_10_25', '2026_11_20'].map((day) => ({ name: `statistics_${day}`, count: 3963 })),
    )
  })

  it('moves revisions on, so that no list of the time after the backup is taken for a current one', async () => {
    const revision = 'select revision::bigint::text from revisions'
    const [before, after] = await Promise.all(
      [source, target].map(async ({ pool }) => BigInt((await pool.query(revision)).rows[0].revision)),
    )
    expect((after ?? 0n) - (before ?? 0n)).toBeGreaterThan(0n)
    expect(Number(after)).toBeGreaterThan(Date.now() - 60_000)
  })

  it('gives a console that works, whose new rows get fresh ids, and whose log still only grows', async () => {
    await createUser(target, 'admin@kustos.test', 'admin')
    const visitor = new Visitor(await listen(target))
    expect((await visitor.signIn('admin@kustos.test')).status).toBe(204)
    const list = await visitor.fetch('/api/webs')
    expect(list.status).toBe(200)
    expect(JSON.stringify(await list.json())).toContain(JSON.stringify(oddTexts[1]).slice(1, -1))
    const [web] = await target.db
      .insert(webs)
      .values({ fqdn: 'new.test', fqdn_ascii: 'new.test', customer: 'K', configured_ip: '192.0.2.2' })
      .returning({ id: webs.id })
    // Of the odd ones, one of a long text and one without, and those that were lost.
    expect(web?.id).toBe(oddTexts.length + 2 + 50 + 1)
    await expect(target.owner.pool.query('delete from log_entries')).rejects.toThrow(/only grows/)
    await expect(target.db.delete(logEntries)).rejects.toThrow()
  })

  it('is refused the second time', async () => {
    const before = await contentsOf(target)
    expect(await refusalOf(await readFile(whole), target)).toMatch(
      /^The database is not empty: there is \S+, and \d+ more\./,
    )
    expect(await contentsOf(target)).toEqual(before)
  })
})

describe('a backup', async () => {
  const live = await emptyDatabase()
  const old = await emptyDatabase()
  const oldRestored = await emptyDatabase()

  it('is one moment of the database, while others write', async () => {
    const stop = new AbortController()
    const write = async () => {
      for (let i = 0; !stop.signal.aborted; i++) {
        // In a transaction of their own each: a log entry and the web that it is about.
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
    const path = pathOf('live')
    await writeBackup(source.url, createWriteStream(path))
    stop.abort()
    await writing
    expect(await refusalOf(await readFile(path), live)).toBe(null)
    const count = (where: string, { owner }: TestDatabase) =>
      owner.pool.query(where).then(({ rows }) => rows[0].count as number)
    const livingWebs = "select count(*)::int from webs where customer = 'LIVE'"
    const [taken, all] = await Promise.all([count(livingWebs, live), count(livingWebs, source)])
    expect(taken).toBeLessThan(all)
    expect(await count("select count(*)::int from log_entries where log_name = 'live'", live)).toBe(taken)
    // What was written after the snapshot may have moved the sequence on, and never back.
    const { rows } = await live.owner.pool.query(
      'select (select max(id) from webs) <= (select last_value from webs_id_seq) as ahead',
    )
    expect(rows).toEqual([{ ahead: true }])
  })

  it('of an older schema is restored, and brought to the newest', async () => {
    await migrate(old.url, '0007_watched_until')
    await old.owner.pool.query(`
    insert into webs (fqdn, fqdn_ascii, customer, configured_ip) values ('a.test', 'a.test', 'ALT', '192.0.2.1');
    create table statistics_2026_03_29 partition of statistics for values from ('2026-03-28T23:00:00Z') to ('2026-03-29T22:00:00Z');
    insert into statistics values (1, '2026-03-29T01:00:00Z', '2026-03-29T01:00:00Z', 200, 5, 'up', null);
    insert into log_entries (created_at, log_name, description, properties) values (now(), 'webs', 'alt', '{}');
    create table copy_of_somebody (id int)`)
    const path = pathOf('old')
    const { header } = await writeBackup(old.url, createWriteStream(path))
    expect(header.schema.tag).toBe('0007_watched_until')
    expect(await refusalOf(await readFile(path), oldRestored)).toBe(null)
    // As the application, whose rights came with a later migration.
    const { rows } = await oldRestored.pool.query(
      'select customer, (select count(*)::int from statistics) as probes from webs',
    )
    expect(rows).toEqual([{ customer: 'ALT', probes: 1 }])
    await migrate(old.url)
    await old.owner.pool.query('drop table copy_of_somebody')
    expect(await schemaOf(oldRestored)).toEqual(await schemaOf(old))
  })
})

describe('a login that is no superuser', () => {
  const name = `restored_${randomBytes(6).toString('hex')}`
  const { url: server } = inject('testPostgres')
  const superuser = openDatabase(server, { max: 1, name: 'kustos-test', asLogin: true })
  const urlOf = (login: string) => {
    const url = new URL(server)
    url.pathname = `/${name}`
    url.username = login
    url.password = 'plain'
    return url.href
  }
  const [owning, working] = [`${name}_owner`, `${name}_programs`]

  beforeAll(async () => {
    for (const login of [owning, working]) {
      await superuser.pool.query(`create role ${login} login password 'plain' noinherit`)
      await superuser.pool.query(`grant kustos_application to ${login} with inherit false, set true`)
    }
    await superuser.pool.query(`create database ${name} owner ${owning} template template0`)
  })
  afterAll(async () => {
    await superuser.pool.query(`drop database if exists ${name} with (force)`)
    for (const login of [working, owning]) await superuser.pool.query(`drop role if exists ${login}`)
    await superuser.close()
  })

  it('restores and backs up what it owns, and what it does not own is refused with a sentence', async () => {
    const bytes = await readFile(whole)
    expect(await refusalOf(bytes, { url: urlOf(working) })).toMatch(/takes the login that owns the database/)
    expect(await refusalOf(bytes, { url: urlOf(owning) })).toBe(null)
    const owner = openDatabase(urlOf(owning), { max: 1, name: 'kustos-test', asLogin: true })
    const { log_entries: entries } = await contentsOf({ owner })
    expect(entries).toMatch(/^6000 /)
    await expect(owner.pool.query('delete from log_entries')).rejects.toThrow(/only grows/)
    await owner.close()
    const again = await writeBackup(urlOf(owning), new PassThrough().resume())
    expect(again.rows).toBeGreaterThan(6000)
    await expect(writeBackup(urlOf(working), new PassThrough().resume())).rejects.toThrow(
      /takes the login that owns the database/,
    )
  })
})

describe('a file', async () => {
  const throughPipes = await emptyDatabase()

  it('is closed to others, and there is nothing beside it', async () => {
    expect((await stat(whole)).mode & 0o777).toBe(0o600)
    expect((await readdir(folder)).filter((name) => name.includes('partial'))).toEqual([])
  })

  it('tells in its first line what it is', async () => {
    const line = (await readFile(whole)).subarray(0, 100_000).toString().split('\n', 1)[0] ?? ''
    expect(JSON.parse(line)).toMatchObject({
      kustos: 'backup',
      format: 1,
      schema: { tag: expect.stringMatching(/^\d{4}_/) },
      leftOut: ['sessions', 'sign_in_attempts'],
    })
    expect(line).not.toContain('argon2')
  })

  it('takes the place of another only where it is told to, and then through a link', async () => {
    const path = pathOf('taken')
    await writeFile(path, 'something else')
    await chmod(path, 0o644)
    await expect(runHere(['backup', path], source)).rejects.toThrow(
      `${path} is there already: --force takes its place.`,
    )
    expect(await readFile(path, 'utf8')).toBe('something else')
    const link = pathOf('link')
    await symlink(path, link)
    await runHere(['backup', link, '--force'], source)
    expect((await lstat(link)).isSymbolicLink()).toBe(true)
    expect((await readFile(path)).subarray(0, 18).toString()).toBe('{"kustos":"backup"')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('may be standard output, and standard input', async () => {
    const { code, out, err } = await kustos(['backup', '-'], source)
    expect([code, err]).toEqual([0, expect.stringContaining('to standard output')])
    expect(await kustos(['restore', '-'], throughPipes, out)).toMatchObject(fine)
    expect((await throughPipes.db.select().from(roles)).length).toBeGreaterThan(0)
  })

  it.each([
    ['none', ['backup'], /to a FILE/],
    ['in a folder that is not there', ['backup', '/nowhere/x'], /\/nowhere\/x cannot be written: .*ENOENT/],
    ['a folder', ['backup', folder], /is a folder/],
    ['on a full disk', ['backup', '/dev/full'], /\/dev\/full cannot be written: ENOSPC/],
    ['none to restore', ['restore'], /from a FILE/],
    ['to restore that is not there', ['restore', '/nowhere/x'], /cannot be read: ENOENT/],
  ])('%s is refused with a sentence', async (_, words, sentence) => {
    await expect(runHere(words, source)).rejects.toThrow(sentence)
    expect((await stat('/dev/full')).isCharacterDevice()).toBe(true)
  })

  it('is not left behind by a backup that was broken off', async () => {
    const blocker = await source.owner.pool.connect()
    const inside = pathOf('inside')
    try {
      // The backup waits for a table until it is told to end.
      await blocker.query('begin; lock table webs in access exclusive mode')
      const program = fileURLToPath(new URL('../src/kustos.ts', import.meta.url))
      const child = spawn(process.execPath, [program, 'backup', inside], {
        env: { ...process.env, DATABASE_URL: source.url },
      })
      const err = text(child.stderr)
      const closed = once(child, 'close')
      const isThere = async () => (await readdir(folder)).some((name) => name.startsWith('inside'))
      await expect.poll(isThere, { timeout: 15_000 }).toBe(true)
      child.kill('SIGTERM')
      await blocker.query('rollback')
      expect(await closed).toEqual([1, null])
      expect(await err).toBe('The backup was broken off: there is none.\n')
      expect(await isThere()).toBe(false)
    } finally {
      blocker.release(true)
    }
  })
})

describe('nothing is restored of', async () => {
  const target = await emptyDatabase()
  const nothing = async () => {
    const { rows } = await target.owner.pool.query(
      "select count(*)::int from pg_class where relnamespace = 'public'::regnamespace",
    )
    return rows
  }

  const damaged =
    /^(The backup is cut off or was altered \(.+\): nothing was restored\.|This is no backup of Kustos, or its first line was altered\.)$/

  it.each([0, 1, 200, 0.1, 0.5, 0.9, -33, -1])('a file that is cut at %s', async (at) => {
    const bytes = await readFile(whole)
    expect(await refusalOf(bytes.subarray(0, placeIn(bytes, at)), target)).toMatch(damaged)
    expect(await nothing()).toEqual([{ count: 0 }])
  })

  it.each([2, 0.3, 0.6, 0.97, -20])('a file with another byte at %s', async (at) => {
    const bytes = await readFile(whole)
    const place = placeIn(bytes, at)
    bytes.writeUInt8(bytes.readUInt8(place) ^ 0x04, place)
    expect(await refusalOf(bytes, target)).toMatch(damaged)
    expect(await nothing()).toEqual([{ count: 0 }])
  })

  it('a file that names a table which is not there', async () => {
    // What the database says of them is not what is wrong.
    const bytes = await readFile(whole)
    const at = bytes.indexOf('"sections":[{"table":') + '"sections":[{"table":"'.length
    bytes.write('x', at)
    expect(await refusalOf(bytes, target)).toMatch(damaged)
    expect(await nothing()).toEqual([{ count: 0 }])
  })

  it('a file with something behind its end', async () => {
    const longer = Buffer.concat([await readFile(whole), Buffer.from('x')])
    expect(await refusalOf(longer, target)).toMatch(damaged)
    expect(await nothing()).toEqual([{ count: 0 }])
  })

  it('another file', async () => {
    const { code, err } = await kustos(['restore', fileURLToPath(import.meta.url)], target)
    expect([code, err]).toEqual([1, 'This is no backup of Kustos, or its first line was altered.\n'])
  })

  it.each([
    ['of a newer format', { format: 2 }, /is of format 2, and this program reads 1: take a newer Kustos/],
    [
      'of a newer schema',
      { schema: { tag: '9', at: 9e12, hash: 'x' } },
      /has a newer schema .*: take a newer/,
    ],
    [
      'of an unknown schema',
      { schema: { tag: '9', at: 1, hash: 'x' } },
      /has a schema that this program does not know/,
    ],
  ])('a backup %s', async (_, change, sentence) => {
    const bytes = await readFile(whole)
    const end = bytes.indexOf('\n')
    const header = { ...JSON.parse(bytes.subarray(0, end).toString()), ...change }
    const changed = Buffer.concat([Buffer.from(JSON.stringify(header)), bytes.subarray(end)])
    expect(await refusalOf(changed, target)).toMatch(sentence)
    expect(await nothing()).toEqual([{ count: 0 }])
  })

  it('a database without a schema, which there is no backup of', async () => {
    await expect(runHere(['backup', pathOf('nothing')], target)).rejects.toThrow(
      'The database holds nothing of Kustos: there is no schema.',
    )
    expect((await readdir(folder)).filter((name) => name.startsWith('nothing'))).toEqual([])
  })
})

/** A part of the whole, or so many bytes, from the end where it is negative. */
const placeIn = ({ length }: Buffer, at: number): number =>
  at < 0 ? length + at : at > 0 && at < 1 ? Math.floor(length * at) : at
