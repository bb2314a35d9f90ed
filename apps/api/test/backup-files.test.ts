import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { chmod, lstat, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { roles } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getRestoreError, kustos, kustosScript, runInProcess } from './backup-commands.ts'
import { insertUnusualRows } from './backup-rows.ts'

const source = await testDatabase()
const folder = mkdtempSync(join(tmpdir(), 'kustos-backup-files-'))
afterAll(() => rmSync(folder, { recursive: true }))
const buildPath = (name: string) => join(folder, name)
const createEmptyDatabase = () => testDatabase({ empty: true })
const backupFile = buildPath('whole')

beforeAll(async () => {
  await insertUnusualRows(source)
  await runInProcess(['backup', backupFile], source)
})

describe('a backup file', async () => {
  const throughPipes = await createEmptyDatabase()

  it('is readable by its owner only, and no temporary file remains', async () => {
    expect((await stat(backupFile)).mode & 0o777).toBe(0o600)
    expect((await readdir(folder)).filter((name) => name.includes('partial'))).toEqual([])
  })

  it('describes itself in its first line', async () => {
    const line = (await readFile(backupFile)).subarray(0, 100_000).toString().split('\n', 1)[0] ?? ''
    expect(JSON.parse(line)).toMatchObject({
      kustos: 'backup',
      format: 1,
      schema: { tag: expect.stringMatching(/^\d{4}_/) },
      leftOut: ['sessions', 'email_changes', 'sign_in_attempts', 'sign_in_limits', 'leases', 'report_pdfs'],
    })
    expect(line).not.toContain('argon2')
  })

  it('replaces another file only with --force, following links', async () => {
    const path = buildPath('taken')
    await writeFile(path, 'something else')
    await chmod(path, 0o644)
    await expect(runInProcess(['backup', path], source)).rejects.toThrow(
      `${path} already exists; use --force to overwrite it.`,
    )
    expect(await readFile(path, 'utf8')).toBe('something else')
    const link = buildPath('link')
    await symlink(path, link)
    await runInProcess(['backup', link, '--force'], source)
    expect((await lstat(link)).isSymbolicLink()).toBe(true)
    expect((await readFile(path)).subarray(0, 18).toString()).toBe('{"kustos":"backup"')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('can be standard output and standard input', async () => {
    const { code, out, err } = await kustos(['backup', '-'], source)
    expect([code, err]).toEqual([0, expect.stringContaining('to standard output')])
    expect(await kustos(['restore', '-'], throughPipes, out)).toMatchObject({ code: 0, err: '' })
    expect((await throughPipes.db.select().from(roles)).length).toBeGreaterThan(0)
  })

  it('is written and restored even if the audit log cannot be written', async () => {
    const target = await createEmptyDatabase()
    const [backupEnvironment, restoreEnvironment] = [source, target].map(({ url }) => ({
      DATABASE_URL: 'postgres://nobody:none@127.0.0.1:1/nothing',
      DATABASE_OWNER_URL: url,
    }))
    const logFailure = /\nNo audit log entry was written: .*ECONNREFUSED/
    const { code, out, err } = await kustos(['backup', '-'], source, undefined, backupEnvironment)
    expect([code, err]).toEqual([0, expect.stringMatching(/^Backup of .* rows in \d+ tables\./)])
    expect(err).toMatch(logFailure)
    const restored = await kustos(['restore', '-'], target, out, restoreEnvironment)
    expect([restored.code, restored.out.toString()]).toEqual([
      0,
      expect.stringContaining('Restored the backup'),
    ])
    expect(`\n${restored.err}`).toMatch(logFailure)
    expect(await target.db.$count(roles)).toBeGreaterThan(0)
  })

  it.each([
    ['is missing', ['backup'], /^FILE is missing/],
    ['is in a missing folder', ['backup', '/nowhere/x'], /\/nowhere\/x cannot be written: .*ENOENT/],
    ['is a folder', ['backup', folder], /is a folder/],
    ['is on a full disk', ['backup', '/dev/full'], /\/dev\/full cannot be written: ENOSPC/],
    ['to restore is missing', ['restore'], /^FILE is missing/],
    ['to restore does not exist', ['restore', '/nowhere/x'], /cannot be read: ENOENT/],
  ])('is rejected if it %s', async (_, args, sentence) => {
    await expect(runInProcess(args, source)).rejects.toThrow(sentence)
    expect((await stat('/dev/full')).isCharacterDevice()).toBe(true)
  })

  it('is removed when the backup is interrupted', async () => {
    const blocker = await source.owner.pool.connect()
    const path = buildPath('inside')
    try {
      // The backup waits for this table until the signal.
      await blocker.query('begin; lock table webs in access exclusive mode')
      const child = spawn(process.execPath, [kustosScript, 'backup', path], {
        env: { ...process.env, DATABASE_URL: source.url },
      })
      const err = text(child.stderr)
      const closed = once(child, 'close')
      const exists = async () => (await readdir(folder)).some((name) => name.startsWith('inside'))
      await expect.poll(exists, { timeout: 30_000 }).toBe(true)
      child.kill('SIGTERM')
      await blocker.query('rollback')
      expect(await closed).toEqual([1, null])
      expect(await err).toBe('The backup was cancelled, and no file was written.\n')
      expect(await exists()).toBe(false)
    } finally {
      blocker.release(true)
    }
  })
})

describe('a restore changes nothing with', async () => {
  const target = await createEmptyDatabase()
  const countTables = async () => {
    const { rows } = await target.owner.pool.query(
      "select count(*)::int from pg_class where relnamespace = 'public'::regnamespace",
    )
    return rows
  }

  const damaged =
    /^(The backup is cut off or was altered \(.+\): nothing was restored\.|This is not a backup of Kustos, or its first line was altered\.)$/

  it.each([0, 1, 200, 0.1, 0.5, 0.9, -33, -1])('a file truncated at %s', async (at) => {
    const bytes = await readFile(backupFile)
    expect(await getRestoreError(bytes.subarray(0, findOffset(bytes, at)), target)).toMatch(damaged)
    expect(await countTables()).toEqual([{ count: 0 }])
  })

  it.each([2, 0.3, 0.6, 0.97, -20])('a file with a changed byte at %s', async (at) => {
    const bytes = await readFile(backupFile)
    const offset = findOffset(bytes, at)
    bytes.writeUInt8(bytes.readUInt8(offset) ^ 0x04, offset)
    expect(await getRestoreError(bytes, target)).toMatch(damaged)
    expect(await countTables()).toEqual([{ count: 0 }])
  })

  it('a file that names an unknown table', async () => {
    // The error has to name the damage, not the failed statement.
    const bytes = await readFile(backupFile)
    const at = bytes.indexOf('"sections":[{"table":') + '"sections":[{"table":"'.length
    bytes.write('x', at)
    expect(await getRestoreError(bytes, target)).toMatch(damaged)
    expect(await countTables()).toEqual([{ count: 0 }])
  })

  it('a file with trailing data', async () => {
    const longer = Buffer.concat([await readFile(backupFile), Buffer.from('x')])
    expect(await getRestoreError(longer, target)).toMatch(damaged)
    expect(await countTables()).toEqual([{ count: 0 }])
  })

  it('a file that is not a backup', async () => {
    const { code, err } = await kustos(['restore', fileURLToPath(import.meta.url)], target)
    expect([code, err]).toEqual([1, 'This is not a backup of Kustos, or its first line was altered.\n'])
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
    const bytes = await readFile(backupFile)
    const end = bytes.indexOf('\n')
    const header = { ...JSON.parse(bytes.subarray(0, end).toString()), ...change }
    const changed = Buffer.concat([Buffer.from(JSON.stringify(header)), bytes.subarray(end)])
    expect(await getRestoreError(changed, target)).toMatch(sentence)
    expect(await countTables()).toEqual([{ count: 0 }])
  })
})

it('rejects a backup of a database without a schema', async () => {
  await expect(runInProcess(['backup', buildPath('nothing')], await createEmptyDatabase())).rejects.toThrow(
    'The database holds nothing of Kustos: there is no schema.',
  )
  expect((await readdir(folder)).filter((name) => name.startsWith('nothing'))).toEqual([])
})

/** @param at a fraction of the length or a number of bytes, from the end if negative */
const findOffset = ({ length }: Buffer, at: number): number =>
  at < 0 ? length + at : at > 0 && at < 1 ? Math.floor(length * at) : at
