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
 * The rows of a query with one column of JSON, joined by commas between two pieces of text. Binary COPY hands out the
 * JSON as Postgres has it, and skips what a driver does for each row: parsing it, and making it a string.
 *
 * The format (https://www.postgresql.org/docs/18/sql-copy.html): a header, then for each row the number of fields in two
 * bytes and the field's length in four, -1 in place of the number after the last row.
 * @param before at most as long as the format's header, 19 bytes
 */
export async function copyJsonRows(
  client: pg.PoolClient,
  query: string,
  before: string,
  after: string,
): Promise<Buffer> {
  const stream = client.query(copyTo(`copy (${query}) to stdout (format binary)`))
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  // Frames are longer than commas, and the header than what goes before: the text is made in the Buffer that it came in.
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const bytes = Buffer.concat(chunks, length + Buffer.byteLength(after))
  const first = bytes.write(before)
  if (first > headerLength) throw new RangeError('There is no room for so long a text before the rows')
  let end = first
  for (let at = headerLength; bytes.readInt16BE(at) === 1; ) {
    const start = at + 6
    at = start + bytes.readInt32BE(at + 2)
    if (end > first) bytes[end++] = comma
    bytes.copyWithin(end, start, at)
    end += at - start
  }
  end += bytes.write(after, end)
  return bytes.subarray(0, end)
}
