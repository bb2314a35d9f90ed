import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { recordMigration } from './applied-migrations.ts'
import { backoff } from './backoff.ts'
import type { Migration } from './migrations.ts'

export interface ApplyOptions {
  /**
   * How long a statement waits for a lock in the first attempt. Everyone else who needs the table waits behind it. Later
   * attempts wait longer, up to four times.
   */
  readonly lockTimeoutMs?: number
  /** How long a migration is retried until all of its locks are free. */
  readonly retryLimitMs?: number
  /** Called with a sentence for the operator. */
  readonly onRetry?: (sentence: string) => void
}

/**
 * Half of Postgres' deadlock_timeout: if a migration and a program wait for each other, the migration gives up before the
 * program's transaction is ended. Later attempts wait longer, since a busy machine may need it.
 */
const defaultLockTimeoutMs = 500
const firstDelayMs = 500
const maxDelayMs = 15_000

/**
 * Applies a migration in a transaction of its own, or outside of one if it creates or drops indexes concurrently. If a lock is
 * not free soon, everything is rolled back and tried again later, so that others never wait for longer than the lock timeout.
 * @throws Error with a sentence if a lock is not free before the limit
 */
export async function applyMigration(
  client: pg.Client,
  migration: Migration,
  { lockTimeoutMs = defaultLockTimeoutMs, retryLimitMs = 10 * 60_000, onRetry }: ApplyOptions,
): Promise<void> {
  const endsAt = performance.now() + retryLimitMs
  const delaysMs = backoff(firstDelayMs, maxDelayMs)
  for (let attempt = 1; ; attempt++) {
    try {
      const timeoutMs = lockTimeoutMs * Math.min(attempt, 4)
      if (isConcurrent(migration)) return await applyConcurrently(client, migration, timeoutMs)
      return await applyInTransaction(client, migration, timeoutMs)
    } catch (error) {
      if (!isLockConflict(error)) throw error
      const others = await describeTransactions(client)
      const { tag } = migration
      if (performance.now() >= endsAt)
        throw new Error(
          `The migration ${tag} did not get a lock within ${retryLimitMs / 1000} s. Open transactions: ${others}`,
          { cause: error },
        )
      onRetry?.(`The migration ${tag} waits for a lock. Open transactions: ${others}`)
      const waitMs = Math.min(delaysMs.next().value, endsAt - performance.now())
      await sleep(Math.max(waitMs, 0))
    }
  }
}

/** Whether it has to run outside of a transaction. */
const isConcurrent = ({ statements }: Migration) =>
  statements.some((statement) => concurrently.test(withoutComments(statement)))

const concurrently = /\bconcurrently\b/i
const withoutComments = (statement: string) => statement.replace(/--.*$/gm, '')

/** Its statements for a transaction that has the tables to itself. */
export const statementsForTransaction = (migration: Migration): readonly string[] =>
  isConcurrent(migration)
    ? migration.statements.map((statement) => withoutComments(statement).replace(concurrently, ''))
    : migration.statements

async function applyInTransaction(client: pg.Client, migration: Migration, lockTimeoutMs: number) {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    for (const statement of migration.statements) await client.query(statement)
    await recordMigration(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/**
 * Each statement can be repeated. Those that run concurrently have no lock timeout: waiting for old transactions keeps nobody
 * from reading or writing.
 */
async function applyConcurrently(client: pg.Client, migration: Migration, lockTimeoutMs: number) {
  for (const statement of migration.statements) {
    const created = createdIndex.exec(withoutComments(statement))?.groups
    if (created === undefined) await client.query(statement)
    else await createIndex(client, statement, created as unknown as CreatedIndex, lockTimeoutMs)
  }
  await recordMigration(client, migration)
}

interface CreatedIndex {
  /** As SQL names them. */
  readonly index: string
  readonly table: string
  /** What follows the table: the method, the columns and the options. */
  readonly definition: string
}

const createdIndex =
  /^\s*create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?(?<index>"[^"]+"|\w+)\s+on\s+(?<table>"[^"]+"|\w+)\s+(?<definition>.*?);?\s*$/is

async function createIndex(
  client: pg.Client,
  statement: string,
  { index, table, definition }: CreatedIndex,
  lockTimeoutMs: number,
) {
  const { rows: found } = await client.query<{ kind: string }>(
    'select relkind as kind from pg_class where oid = to_regclass($1)',
    [table],
  )
  if (found[0]?.kind !== 'p') return createOneIndex(client, index, statement)
  // Postgres creates none of a partitioned table concurrently. The one of the table is valid once those of all partitions belong to
  // it; partitions that are added meanwhile come with theirs.
  await withLockTimeout(
    client,
    lockTimeoutMs,
    `create index if not exists ${index} on only ${table} ${definition}`,
  )
  const { rows: partitions } = await client.query<{ name: string }>(
    `select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = to_regclass($1) and not exists (
      select from pg_inherits of_index join pg_index on indexrelid = of_index.inhrelid
      where of_index.inhparent = to_regclass($2) and indrelid = pg_class.oid)
    order by relname`,
    [table, index],
  )
  for (const { name } of partitions) {
    const own = client.escapeIdentifier(nameIndex(name, definition))
    const create = `create index concurrently if not exists ${own} on ${client.escapeIdentifier(name)} ${definition}`
    await createOneIndex(client, own, create)
    await withLockTimeout(client, lockTimeoutMs, `alter index ${index} attach partition ${own}`)
  }
}

/** The name that Postgres gives the index of a new partition, so that a restored database has the same. */
function nameIndex(partition: string, definition: string): string {
  const [, list = ''] = /^(?:using\s+\w+\s+)?\((.*?)\)(?:\s+(?:with|where)\b.*)?$/is.exec(definition) ?? []
  const columns = list.replace(/\(.*\)/s, '').split(',')
  return [partition, ...columns.map((column) => /\w+/.exec(column)?.[0] ?? ''), 'idx'].join('_')
}

/** Programs that need the table wait behind a statement that waits for its lock. */
async function withLockTimeout(client: pg.Client, lockTimeoutMs: number, statement: string) {
  await client.query(`set lock_timeout = ${lockTimeoutMs}`)
  try {
    await client.query(statement)
  } finally {
    await client.query('reset lock_timeout')
  }
}

async function createOneIndex(client: pg.Client, index: string, statement: string) {
  await dropInvalidIndex(client, index)
  try {
    await client.query(statement)
  } catch (error) {
    // Postgres keeps it, and a unique one would keep refusing rows.
    await dropInvalidIndex(client, index)
    throw error
  }
}

/** Drops an index whose creation was interrupted. @param index as SQL names it */
async function dropInvalidIndex(client: pg.Client, index: string) {
  const { rows } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [index],
  )
  if (rows.length > 0) await client.query(`drop index concurrently ${index}`)
}

/** Lock not available, deadlock. */
const isLockConflict = (error: unknown) =>
  error instanceof pg.DatabaseError && (error.code === '55P03' || error.code === '40P01')

/** The oldest transactions of others, one of which has the lock. */
async function describeTransactions(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string; seconds: number }>(
    `select pid, coalesce(nullif(application_name, ''), 'unnamed') as name,
      extract(epoch from clock_timestamp() - xact_start)::int as seconds
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
    order by xact_start limit 3`,
  )
  const found = rows.map(({ pid, name, seconds }) => `${name} (process ${pid}, for ${seconds} s)`)
  return `${found.length === 0 ? 'none' : found.join(', ')}.`
}
