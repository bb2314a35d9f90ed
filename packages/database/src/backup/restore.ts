import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { applyMigrations, prepareToMigrate, readMigrations } from '../migrations.ts'
import { connectedForCopies } from './connection.ts'
import { type Contents, readContents } from './contents.ts'
import { BackupRefusal, Damaged } from './damage.ts'
import type { Header } from './header.ts'
import type { BackupRecord, SequenceState } from './records.ts'
import { bareTables, makePartitions } from './room.ts'
import { copied, knownSchema, quoted, tablesOf } from './tables.ts'

export interface RestoreReport {
  readonly header: Header
  readonly rows: number
  /** The schema's version now: the newest. */
  readonly schema: string
  /** What was to be done when the backup was taken, and will be once a worker starts. */
  readonly waiting: { readonly deployments: number; readonly inspections: number; readonly alerts: number }
}

/**
 * Puts a backup into an empty database, and brings that to the newest schema: all of it or, whatever goes wrong, nothing.
 * @param url of the login that is to own the tables
 * @throws BackupRefusal where the file is no whole backup, is too new, or the database is not empty
 */
export async function restoreBackup(url: string, source: AsyncIterable<Buffer>): Promise<RestoreReport> {
  const contents = await readContents(source)
  const { header, check } = contents
  const { number } = await knownSchema(header.schema, 'The backup')
  return connectedForCopies(url, 'kustos-restore', async (client) => {
    await prepareToMigrate(client)
    await client.query('begin')
    await refuseUnlessEmpty(client)
    const known = await readMigrations()
    await applyMigrations(client, known.slice(0, number + 1))
    // Whatever such a file does to the database, that it is damaged is what has to be told.
    const rows = await fill(client, contents, number).catch(async (error: unknown) => {
      if (!(error instanceof Damaged)) await check()
      throw error
    })
    await check()
    await applyMigrations(client, known)
    await client.query('commit')
    await settle(client)
    return { header, rows, schema: known.at(-1)?.tag ?? '', waiting: await waitingIn(client) }
  }).finally(() => contents.records.return(undefined))
}

/** Of any schema but Postgres' own, and of no extension. */
async function refuseUnlessEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', nspname, relname) as name
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'p', 'v', 'm', 'S', 'f') and nspname !~ '^pg_' and nspname <> 'information_schema'
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    order by relkind, 1`,
  )
  const [first] = rows
  if (first)
    throw new BackupRefusal(
      `The database is not empty: there is ${first.name}${rows.length > 1 ? `, and ${rows.length - 1} more` : ''}. A backup is restored into an empty one.`,
    )
}

/** @returns the rows of all tables */
async function fill(client: pg.Client, contents: Contents, number: number): Promise<number> {
  const { header, records } = contents
  const { sections } = await tablesOf(number)
  const dress = await bareTables(
    client,
    sections.map(({ table }) => table),
  )
  await makePartitions(client, header.partitions)
  let rows = 0
  for (const section of header.sections) {
    const begun = await next(records)
    if (begun.kind !== 'table' || begun.table !== section.table)
      throw new Damaged('its tables are out of order')
    const counted = { rows: -1 }
    // Frozen rows need no later visit by a vacuum; that takes a table of this very transaction.
    const copy = client.query(copyFrom(`copy ${copied(section)} from stdin with (freeze)`))
    await pipeline(rowsOf(records, counted), copy)
    if (copy.rowCount !== counted.rows) throw new Damaged(`rows of ${section.table} are missing`)
    rows += counted.rows
  }
  const end = await next(records)
  if (end.kind !== 'end' || end.rows !== rows) throw new Damaged('its end is missing')
  if (!(await records.next()).done) throw new Damaged('something is behind its end')
  await setSequences(client, end.sequences)
  await dress()
  await moveRevisions(client)
  return rows
}

async function next(records: AsyncGenerator<BackupRecord>): Promise<BackupRecord> {
  const { done, value } = await records.next()
  if (done) throw new Damaged('its end is missing')
  return value
}

/** The bytes of a table. Not `for await`, which would end the records with the table. */
async function* rowsOf(
  records: AsyncGenerator<BackupRecord>,
  counted: { rows: number },
): AsyncGenerator<Buffer> {
  for (let record = await next(records); ; record = await next(records)) {
    if (record.kind === 'table end') {
      counted.rows = record.rows
      return
    }
    if (record.kind !== 'rows') throw new Damaged('a table has no end')
    yield record.bytes
  }
}

async function setSequences(client: pg.Client, sequences: readonly SequenceState[]): Promise<void> {
  for (const { name, last, called } of sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [quoted(name), last, called])
}

/**
 * What happened after the backup was taken had revisions too, and browsers may still hold lists of those: they are not
 * to come again. Revisions start at the time in milliseconds (drizzle/0001), and none comes as often as that.
 */
async function moveRevisions(client: pg.Client): Promise<void> {
  await client.query(
    'update revisions set revision = greatest(revision + 1, (extract(epoch from clock_timestamp()) * 1000)::bigint)',
  )
}

/** What a database knows of itself only after a while: how many rows of what kind there are. It needs no transaction. */
async function settle(client: pg.Client): Promise<void> {
  await client.query('vacuum (analyze)').catch((error: unknown) => {
    throw new BackupRefusal(
      'All is restored, but the database could not be analyzed: run `vacuum (analyze)` in it.',
      { cause: error },
    )
  })
}

async function waitingIn(client: pg.Client): Promise<RestoreReport['waiting']> {
  const { rows } = await client.query<RestoreReport['waiting']>(
    `select
      (select count(*)::int from deployments where state in ('waiting', 'running')) as deployments,
      (select count(*)::int from inspections where state in ('waiting', 'running')) as inspections,
      (select count(*)::int from alerts where sent_at is null and failed_at is null) as alerts`,
  )
  return rows[0] ?? { deployments: 0, inspections: 0, alerts: 0 }
}
