import { pipeline } from 'node:stream/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Transaction } from '../client.ts'
import { applyMigrations, beginMigration, readMigrations } from '../migrations.ts'
import * as tables from '../tables/index.ts'
import { withBackupConnection } from './connection.ts'
import { BackupError, DamagedBackupError } from './errors.ts'
import type { Header } from './header.ts'
import { type Contents, readContents } from './read.ts'
import type { BackupRecord, SequenceState } from './records.ts'
import { copyTarget, findMigration, qualifiedName, readTables } from './schema.ts'
import { createPartitions, prepareForRestore } from './target-tables.ts'

export interface RestoreReport {
  readonly header: Header
  readonly rows: number
  /** The tag of the last migration. */
  readonly schema: string
  /** Unfinished work that workers will continue once they start. */
  readonly waiting: { readonly deployments: number; readonly inspections: number; readonly alerts: number }
}

/**
 * Restores a backup into an empty database and migrates it to the latest schema, all or nothing.
 * @param url of the login that will own the tables
 * @param beforeCommit changes the restored rows
 * @throws BackupError if the file is damaged or too new, or the database is not empty
 */
export async function restoreBackup(
  url: string,
  source: AsyncIterable<Buffer>,
  beforeCommit?: (tx: Transaction) => Promise<void>,
): Promise<RestoreReport> {
  const contents = await readContents(source)
  const { header, check } = contents
  const { number } = await findMigration(header.schema, 'The backup')
  return withBackupConnection(url, 'kustos-restore', async (client) => {
    await beginMigration(client)
    await assertEmpty(client)
    const known = await readMigrations()
    await applyMigrations(client, known.slice(0, number + 1))
    // A damaged file may fail in the database first; the operator has to learn that it is damaged.
    const rows = await copyRows(client, contents, number).catch(async (error: unknown) => {
      if (!(error instanceof DamagedBackupError)) await check()
      throw error
    })
    await check()
    await applyMigrations(client, known)
    await avoidUsedRuns(client)
    await beforeCommit?.(drizzle(client, { schema: tables }))
    await client.query('commit')
    await analyze(client)
    return { header, rows, schema: known.at(-1)?.tag ?? '', waiting: await countWaiting(client) }
  }).finally(() => contents.records.return(undefined))
}

/** Looks at all schemas except those of PostgreSQL and extensions. */
async function assertEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', nspname, relname) as name
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'p', 'v', 'm', 'S', 'f') and nspname !~ '^pg_' and nspname <> 'information_schema'
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    order by relkind, 1`,
  )
  const [first] = rows
  if (first)
    throw new BackupError(
      `The database is not empty: there is ${first.name}${rows.length > 1 ? `, and ${rows.length - 1} more` : ''}. A backup is restored into an empty one.`,
    )
}

/** @returns the number of rows of all tables */
async function copyRows(client: pg.Client, contents: Contents, number: number): Promise<number> {
  const { header, records } = contents
  const { sections } = await readTables(number)
  const restoreConstraints = await prepareForRestore(
    client,
    sections.map(({ table }) => table),
  )
  await createPartitions(client, header.partitions)
  let rows = 0
  for (const section of header.sections) {
    const begun = await next(records)
    if (begun.kind !== 'table' || begun.table !== section.table)
      throw new DamagedBackupError('its tables are out of order')
    const counted = { rows: -1 }
    // FREEZE saves a later vacuum. It needs a table that was created or truncated in this transaction.
    const copy = client.query(copyFrom(`copy ${copyTarget(section)} from stdin with (freeze)`))
    await pipeline(rowsOf(records, counted), copy)
    if (copy.rowCount !== counted.rows) throw new DamagedBackupError(`rows of ${section.table} are missing`)
    rows += counted.rows
  }
  const end = await next(records)
  if (end.kind !== 'end' || end.rows !== rows) throw new DamagedBackupError('its end is missing')
  if (!(await records.next()).done) throw new DamagedBackupError('something is behind its end')
  await setSequences(client, end.sequences)
  await restoreConstraints()
  await advanceRevisions(client)
  return rows
}

async function next(records: AsyncGenerator<BackupRecord>): Promise<BackupRecord> {
  const { done, value } = await records.next()
  if (done) throw new DamagedBackupError('its end is missing')
  return value
}

/** The bytes of one table. `for await` would close the records at its end. */
async function* rowsOf(
  records: AsyncGenerator<BackupRecord>,
  counted: { rows: number },
): AsyncGenerator<Buffer> {
  for (let record = await next(records); ; record = await next(records)) {
    if (record.kind === 'table end') {
      counted.rows = record.rows
      return
    }
    if (record.kind !== 'rows') throw new DamagedBackupError('a table has no end')
    yield record.bytes
  }
}

async function setSequences(client: pg.Client, sequences: readonly SequenceState[]): Promise<void> {
  for (const { name, last, called } of sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [qualifiedName(name), last, called])
}

/**
 * Browsers may hold lists with revisions from after the backup, which must not be used again. Revisions start at the time in
 * milliseconds (drizzle/0001) and grow more slowly than it.
 */
async function advanceRevisions(client: pg.Client): Promise<void> {
  await client.query(
    'update revisions set revision = greatest(revision + 1, (extract(epoch from clock_timestamp()) * 1000)::bigint)',
  )
}

/**
 * Nodes keep records of commands under the id and the epoch of their deployment. There may be some from after the backup, so
 * neither a new deployment nor a retried one may use those names again. A retried one ends the runs of its earlier epochs.
 */
async function avoidUsedRuns(client: pg.Client): Promise<void> {
  await client.query(`update deployments set epoch = epoch + 100 where state <> 'succeeded'`)
  await client.query(
    `select setval('deployments_id_seq', (select last_value + 10000 from deployments_id_seq))`,
  )
}

/** Collects the planner's statistics, outside the transaction. */
async function analyze(client: pg.Client): Promise<void> {
  await client.query('vacuum (analyze)').catch((error: unknown) => {
    throw new BackupError(
      'All is restored, but the database could not be analyzed: run `vacuum (analyze)` in it.',
      { cause: error },
    )
  })
}

async function countWaiting(client: pg.Client): Promise<RestoreReport['waiting']> {
  const { rows } = await client.query<RestoreReport['waiting']>(
    `select
      (select count(*)::int from deployments where state in ('waiting', 'running')) as deployments,
      (select count(*)::int from inspections where state in ('waiting', 'running')) as inspections,
      (select count(*)::int from alerts where sent_at is null and failed_at is null) as alerts`,
  )
  return rows[0] ?? { deployments: 0, inspections: 0, alerts: 0 }
}
