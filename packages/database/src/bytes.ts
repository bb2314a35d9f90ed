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
/** Before each row's field: the number of fields in two bytes, its length in four. */
const frameLength = 6
const pieceLength = 1024 ** 2

/**
 * The rows of a query with one column of JSON, in pieces of about a MiB, each whole rows joined by commas. Binary COPY hands
 * out the JSON as Postgres has it, and skips what a driver does for each row: parsing it, and making it a string.
 *
 * The format (https://www.postgresql.org/docs/18/sql-copy.html): a header, then for each row the number of fields in two
 * bytes and the field's length in four, -1 in place of the number after the last row.
 * @returns bytes in memory of their own, which may be handed to another thread
 */
export async function* copyJsonRows(
  client: pg.PoolClient,
  query: string,
): AsyncGenerator<Buffer<ArrayBuffer>> {
  let piece = Buffer.allocUnsafeSlow(pieceLength)
  let end = 0
  let headed = false
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of client.query(copyTo(`copy (${query}) to stdout (format binary)`))) {
    const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    if (!headed && bytes.length >= headerLength) {
      headed = true
      at = headerLength
    }
    // What comes after the last row is shorter than a frame.
    while (headed && bytes.length - at >= frameLength) {
      const length = bytes.readInt32BE(at + 2)
      const start = at + frameLength
      if (bytes.length - start < length) break
      if (end > 0 && end + 1 + length > piece.length) {
        yield piece.subarray(0, end)
        piece = Buffer.allocUnsafeSlow(pieceLength)
        end = 0
      }
      if (length > piece.length) piece = Buffer.allocUnsafeSlow(length)
      if (end > 0) piece[end++] = comma
      at = start + length
      end += bytes.copy(piece, end, start, at)
    }
    rest = bytes.subarray(at)
  }
  if (end > 0) yield piece.subarray(0, end)
}
