import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { schemaOf } from '../migrations.ts'
import { connectedForCopies } from './connection.ts'
import { BackupRefusal } from './damage.ts'
import { type Header, type Section, writeHeader } from './header.ts'
import { type SequenceState, written } from './records.ts'
import { sealed } from './seal.ts'
import { copied, knownSchema, leftOut, partitionsOf, quoted, tablesOf } from './tables.ts'

export interface BackupReport {
  readonly header: Header
  readonly rows: number
}

/** Rows of COPY come one by one, and are compressed in pieces of so many bytes. */
const pieceLength = 64 * 1024

/**
 * Writes all of Kustos' tables, as one moment of the database has them, while others go on writing.
 * @param url of the login that owns the tables
 * @throws BackupRefusal where the schema is none that this program knows
 */
export async function writeBackup(
  url: string,
  to: Writable,
  options: { readonly signal?: AbortSignal; readonly now?: () => Date } = {},
): Promise<BackupReport> {
  const { signal, now = () => new Date() } = options
  return connectedForCopies(url, 'kustos-backup', async (client) => {
    const { header, sequences } = await takeSnapshot(client, now())
    const tally = { rows: 0 }
    await pipeline(
      records(client, header, sequences, tally),
      createZstdCompress(),
      (compressed) => sealed(behind(writeHeader(header), compressed)),
      to,
      { signal },
    )
    return { header, rows: tally.rows }
  })
}

/** Begins the transaction whose snapshot is what the backup holds. */
async function takeSnapshot(client: pg.Client, now: Date) {
  const before = await schemaOf(client)
  if (before === null) throw new BackupRefusal('The database holds nothing of Kustos: there is no schema.')
  const { number, schema } = await knownSchema(before, 'The database')
  const { sections, sequences } = await tablesOf(number)
  const tables = sections.map(({ table }) => table)
  await client.query('begin isolation level repeatable read read only')
  // Before the first statement that takes the snapshot: no day of statistics is dropped, and nothing migrated, until the end.
  await client.query(`lock table ${tables.map(quoted).join(', ')} in access share mode`)
  if ((await schemaOf(client))?.at !== schema.at)
    throw new BackupRefusal('The database was migrated in this very moment: try again.')
  const partitions = await partitionsOf(client, tables)
  const partitioned = new Set(await partitionedAmong(client, tables))
  const header: Header = {
    takenAt: now.toISOString(),
    schema,
    partitions,
    sections: sections.flatMap((section): readonly Section[] => {
      if (leftOut.includes(section.table)) return []
      if (!partitioned.has(section.table)) return [section]
      return partitions
        .filter((part) => part.of === section.table)
        .map((part) => ({ ...section, table: part.table }))
    }),
    leftOut,
  }
  return { header, sequences }
}

async function partitionedAmong(client: pg.Client, tables: readonly string[]): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'p' and relname = any ($1)`,
    [tables],
  )
  return rows.map(({ name }) => name)
}

async function* behind(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}

/** @param tally told of the rows */
async function* records(
  client: pg.Client,
  { sections }: Header,
  sequences: readonly string[],
  tally: { rows: number },
): AsyncGenerator<Buffer> {
  for (const section of sections) {
    yield* written({ kind: 'table', table: section.table })
    const copy = client.query(copyTo(`copy ${copied(section)} to stdout`))
    for await (const bytes of inPieces(copy)) yield* written({ kind: 'rows', bytes })
    // The rows end before Postgres says how many they were, which it has before it answers anything else.
    await client.query('select')
    tally.rows += copy.rowCount
    yield* written({ kind: 'table end', rows: copy.rowCount })
  }
  // A sequence knows no snapshot. Read behind it, it is at least as far as the rows are.
  const states = await statesOf(client, sequences)
  yield* written({ kind: 'end', rows: tally.rows, sequences: states })
}

async function* inPieces(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let length = 0
  for await (const chunk of source) {
    chunks.push(chunk)
    length += chunk.length
    if (length < pieceLength) continue
    yield Buffer.concat(chunks, length)
    chunks = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(chunks, length)
}

async function statesOf(client: pg.Client, names: readonly string[]): Promise<readonly SequenceState[]> {
  const states: SequenceState[] = []
  for (const name of names) {
    const { rows } = await client.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from ${quoted(name)}`,
    )
    for (const row of rows) states.push({ name, ...row })
  }
  return states
}
