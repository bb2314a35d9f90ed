import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { readLastMigration } from '../applied-migrations.ts'
import { appendChecksum } from './checksum.ts'
import { withBackupConnection } from './connection.ts'
import { BackupError } from './errors.ts'
import { type Header, type Section, writeHeader } from './header.ts'
import { prepend } from './read.ts'
import { encodeRecord, type SequenceState } from './records.ts'
import { copyTarget, findMigration, leftOut, qualifiedName, readPartitions, readTables } from './schema.ts'

export interface BackupReport {
  readonly header: Header
  readonly rows: number
}

/** COPY returns row by row; compressing larger chunks is faster. */
const chunkBytes = 64 * 1024

/**
 * Writes a snapshot of all tables while others keep writing.
 * @param url of the login that owns the tables
 * @throws BackupError if the schema is unknown
 */
export async function writeBackup(
  url: string,
  to: Writable,
  options: { readonly signal?: AbortSignal; readonly now?: () => Date } = {},
): Promise<BackupReport> {
  const { signal, now = () => new Date() } = options
  return withBackupConnection(url, 'kustos-backup', async (client) => {
    const { header, sequences } = await takeSnapshot(client, now())
    const counter = { rows: 0 }
    await pipeline(
      records(client, header, sequences, counter),
      createZstdCompress(),
      (compressed) => appendChecksum(prepend(writeHeader(header), compressed)),
      to,
      { signal },
    )
    return { header, rows: counter.rows }
  })
}

/** Begins the transaction of the snapshot. */
async function takeSnapshot(client: pg.Client, now: Date) {
  const before = await readLastMigration(client)
  if (before === null) throw new BackupError('The database holds nothing of Kustos: there is no schema.')
  const { number, schema } = await findMigration(before, 'The database')
  const { sections, sequences } = await readTables(number)
  const tables = sections.map(({ table }) => table)
  await client.query('begin isolation level repeatable read read only')
  // Locked before the snapshot is taken, so that no partition is dropped and nothing migrated until the end.
  await client.query(`lock table ${tables.map(qualifiedName).join(', ')} in access share mode`)
  if ((await readLastMigration(client))?.at !== schema.at)
    throw new BackupError('The database was migrated in this very moment: try again.')
  const partitions = await readPartitions(client, tables)
  const partitioned = new Set(await partitionedTables(client, tables))
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

async function partitionedTables(client: pg.Client, tables: readonly string[]): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'p' and relname = any ($1)`,
    [tables],
  )
  return rows.map(({ name }) => name)
}

/** @param counter gets the number of rows */
async function* records(
  client: pg.Client,
  { sections }: Header,
  sequences: readonly string[],
  counter: { rows: number },
): AsyncGenerator<Buffer> {
  for (const section of sections) {
    yield* encodeRecord({ kind: 'table', table: section.table })
    const copy = client.query(copyTo(`copy ${copyTarget(section)} to stdout`))
    for await (const bytes of inChunks(copy)) yield* encodeRecord({ kind: 'rows', bytes })
    // PostgreSQL sends the number of rows after the rows, but before the next answer.
    await client.query('select')
    counter.rows += copy.rowCount
    yield* encodeRecord({ kind: 'table end', rows: copy.rowCount })
  }
  // Sequences are not part of the snapshot. Read after the rows, they are never behind them.
  const states = await readSequences(client, sequences)
  yield* encodeRecord({ kind: 'end', rows: counter.rows, sequences: states })
}

async function* inChunks(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let length = 0
  for await (const chunk of source) {
    chunks.push(chunk)
    length += chunk.length
    if (length < chunkBytes) continue
    yield Buffer.concat(chunks, length)
    chunks = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(chunks, length)
}

async function readSequences(client: pg.Client, names: readonly string[]): Promise<readonly SequenceState[]> {
  const states: SequenceState[] = []
  for (const name of names) {
    const { rows } = await client.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from ${qualifiedName(name)}`,
    )
    for (const row of rows) states.push({ name, ...row })
  }
  return states
}
