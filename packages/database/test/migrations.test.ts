import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { applyMigrations, type Migration, migrate } from '../src/migrations.ts'
import { testDatabase } from '../testing/index.ts'

const buildMigration = (at: number, ...statements: string[]): Migration => ({
  tag: `000${at}_test`,
  at,
  hash: createHash('sha256').update(statements.join()).digest('hex'),
  statements,
})

const databases = await Promise.all(Array.from({ length: 11 }, () => testDatabase({ empty: true })))

/** The next database, with the table `things`, and functions to migrate and query it. */
async function prepare() {
  const database = databases.pop()
  if (database === undefined) throw new Error('There are fewer databases than tests')
  const { url, owner } = database
  const things = buildMigration(1, 'create table things (id int, name text)')
  const apply = (migrations: readonly Migration[], options = {}) =>
    migrate(url, undefined, { migrations: [things, ...migrations], ...options })
  await apply([])
  const readTags = async () => {
    const { rows } = await owner.pool.query<{ at: number }>(
      'select created_at::int as at from drizzle.__drizzle_migrations order by id',
    )
    return rows.map(({ at }) => at)
  }
  const readIndexes = async () =>
    (
      await owner.pool.query(
        "select indexrelid::regclass::text as name, indisvalid as valid from pg_index where indrelid = 'things'::regclass order by 1",
      )
    ).rows
  return { things, pool: owner.pool, apply, readTags, readIndexes }
}

test('applies a migration that was merged after a later one', async () => {
  const { apply, readTags, pool } = await prepare()
  const earlier = buildMigration(2, 'alter table things add column c2 int')
  const later = buildMigration(3, 'alter table things add column c3 int')
  await apply([later])
  await apply([earlier, later])
  expect(await readTags()).toEqual([1, 3, 2])
  expect((await pool.query('select c2, c3 from things')).rows).toEqual([])
})

test('refuses to start if an applied migration was changed', async () => {
  const { apply } = await prepare()
  await apply([buildMigration(2, 'select 1')])
  await expect(apply([buildMigration(2, 'select 2')])).rejects.toThrow(
    'The migration 0002_test was applied to this database with other contents',
  )
})

test('accepts the schema of a newer program', async () => {
  const { apply, readTags } = await prepare()
  await apply([buildMigration(2, 'select 1')])
  await apply([])
  expect(await readTags()).toEqual([1, 2])
})

test('keeps the migrations before one that fails, and nothing of that one', async () => {
  const { apply, readTags, pool } = await prepare()
  const failing = buildMigration(3, 'alter table things add column c3 int', 'select 1 / 0')
  await expect(apply([buildMigration(2, 'alter table things add column c2 int'), failing])).rejects.toThrow(
    'division by zero',
  )
  expect(await readTags()).toEqual([1, 2])
  await expect(pool.query('select c3 from things')).rejects.toThrow('c3')
})

test('does not hold up readers while it waits for a lock, and takes it once it is free', async () => {
  const { apply, readTags, pool } = await prepare()
  const slow = await pool.connect()
  await slow.query('begin')
  await slow.query('select * from things')
  const retries: string[] = []
  const migrating = apply([buildMigration(2, 'alter table things add column c2 int')], {
    lockTimeoutMs: 100,
    onRetry: (sentence: string) => retries.push(sentence),
  })
  const until = Date.now() + 1_500
  let slowestMs = 0
  while (Date.now() < until) {
    const started = Date.now()
    await pool.query('select * from things')
    slowestMs = Math.max(slowestMs, Date.now() - started)
    await sleep(5)
  }
  expect(retries[0]).toMatch(/^The migration 0002_test waits for a lock/)
  expect(retries[0]).toContain('kustos-test-owner')
  expect(slowestMs).toBeLessThan(1_000)
  await slow.query('commit')
  slow.release()
  await migrating
  expect(await readTags()).toEqual([1, 2])
})

test('gives up with a sentence if a lock is never free', async () => {
  const { apply, readTags, pool } = await prepare()
  const slow = await pool.connect()
  await slow.query('begin')
  await slow.query('select * from things')
  await expect(
    apply([buildMigration(2, 'alter table things add column c2 int')], {
      lockTimeoutMs: 50,
      retryLimitMs: 300,
    }),
  ).rejects.toThrow(/^The migration 0002_test did not get a lock/)
  await slow.query('rollback')
  slow.release()
  expect(await readTags()).toEqual([1])
})

const addIndex = buildMigration(2, 'create index concurrently if not exists things_by_name on things (name)')

test('creates an index concurrently while others write, and once for several processes', async () => {
  const { apply, readTags, readIndexes, pool } = await prepare()
  const writer = await pool.connect()
  await writer.query('begin')
  await writer.query("insert into things values (1, 'a')")
  const migrating = Promise.all([apply([addIndex]), apply([addIndex]), apply([addIndex])])
  await sleep(700)
  // An index that is not created concurrently would wait for the writer, and this one for the index.
  await pool.query("set lock_timeout = 200; insert into things values (2, 'b'); reset lock_timeout")
  await writer.query('commit')
  writer.release()
  await migrating
  expect(await readTags()).toEqual([1, 2])
  expect(await readIndexes()).toEqual([{ name: 'things_by_name', valid: true }])
})

test('replaces the invalid index that a killed migration left behind', async () => {
  const { apply, readTags, readIndexes, pool } = await prepare()
  await pool.query("insert into things values (1, 'a'), (1, 'b')")
  await expect(pool.query('create unique index concurrently things_by_name on things (id)')).rejects.toThrow(
    'could not create unique index',
  )
  expect(await readIndexes()).toEqual([{ name: 'things_by_name', valid: false }])
  await apply([addIndex])
  expect(await readTags()).toEqual([1, 2])
  expect(await readIndexes()).toEqual([{ name: 'things_by_name', valid: true }])
})

test('leaves no invalid index behind if the rows contradict it', async () => {
  const { apply, readTags, readIndexes, pool } = await prepare()
  await pool.query("insert into things values (1, 'a'), (1, 'b')")
  const unique = buildMigration(
    2,
    'create unique index concurrently if not exists "things_by_id" on things (id)',
  )
  await expect(apply([unique])).rejects.toThrow('could not create unique index')
  expect(await readTags()).toEqual([1])
  expect(await readIndexes()).toEqual([])
})

test('creates an index of a partitioned table part by part, also after it was interrupted', async () => {
  const { apply, readTags, pool } = await prepare()
  const definition = `using gin (to_tsvector('simple', name)) with (fastupdate = off)`
  await pool.query(`
    create table parts (id int, name text) partition by range (id);
    create table parts_low partition of parts for values from (0) to (10);
    create table parts_high partition of parts for values from (10) to (20);
    create index parts_by_name on only parts ${definition};
    create index parts_low_by_name on parts_low ${definition};
    alter index parts_by_name attach partition parts_low_by_name`)
  const writer = await pool.connect()
  await writer.query('begin')
  await writer.query("insert into parts_high values (11, 'a')")
  const statement = `create index concurrently if not exists "parts_by_name" on "parts" ${definition};`
  const migrating = apply([buildMigration(2, statement)])
  await sleep(700)
  await pool.query("set lock_timeout = 200; insert into parts values (1, 'b'), (12, 'c'); reset lock_timeout")
  await writer.query('commit')
  writer.release()
  await migrating
  await pool.query('create table parts_next partition of parts for values from (20) to (30)')
  expect(await readTags()).toEqual([1, 2])
  const { rows } = await pool.query(
    `select indrelid::regclass::text as "table", indisvalid as valid from pg_index
    where indrelid::regclass::text like 'parts%' order by 1`,
  )
  const tables = ['parts', 'parts_high', 'parts_low', 'parts_next']
  expect(rows).toEqual(tables.map((table) => ({ table, valid: true })))
})

test('creates the same index in the transaction of a restore', async () => {
  const { readTags, readIndexes, pool, things } = await prepare()
  const client = await pool.connect()
  await client.query('begin')
  await applyMigrations(client, [things, addIndex])
  await client.query('commit')
  client.release()
  expect(await readTags()).toEqual([1, 2])
  expect(await readIndexes()).toEqual([{ name: 'things_by_name', valid: true }])
})
