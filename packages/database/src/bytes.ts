import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

/**
 * Runs work in a read-only transaction that sees one moment of the database throughout.
 */
export async function inSnapshot<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let failed: Error | undefined
  try {
    await client.query('begin isolation level repeatable read read only')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    // The connection may be amid a COPY: it is closed rather than used again.
    failed = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    client.release(failed)
  }
}

const comma = 0x2c
/** "PGCOPY\n\377\r\n\0", flags, and the length of a header extension that no version uses. */
const headerLength = 19

/**
 * The rows of a query with one column of JSON, as the bytes of a JSON array's inside. Binary COPY hands out the text as
 * Postgres has it, and skips what a driver does for each row: parsing it, and making it a string.
 *
 * The format (https://www.postgresql.org/docs/18/sql-copy.html): a header, then for each row the number of fields in two
 * bytes and the field's length in four, -1 in place of the number after the last row.
 */
export async function copyJsonRows(client: pg.PoolClient, query: string): Promise<Buffer> {
  const stream = client.query(copyTo(`copy (${query}) to stdout (format binary)`))
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  // A row's frame is longer than a comma, so the array's inside fits over what it is made from.
  let end = 0
  for (let at = headerLength; bytes.readInt16BE(at) === 1; ) {
    const start = at + 6
    at = start + bytes.readInt32BE(at + 2)
    if (end > 0) bytes[end++] = comma
    bytes.copyWithin(end, start, at)
    end += at - start
  }
  return bytes.subarray(0, end)
}
