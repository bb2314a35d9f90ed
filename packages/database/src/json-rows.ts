import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

export async function inSnapshot<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let failed: Error | undefined
  try {
    await client.query('begin isolation level repeatable read read only')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    // The connection may be in the middle of a COPY, so it is closed instead of reused.
    failed = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    client.release(failed)
  }
}

const comma = 0x2c
/** "PGCOPY\n\377\r\n\0", flags, and the length of the unused header extension. */
const headerBytes = 19
/** The number of fields in two bytes and the length of the field in four. */
const frameBytes = 6
const chunkBytes = 1024 ** 2

/**
 * Reads a query with one JSON column through binary COPY, which skips the driver's work for each row.
 *
 * The format (https://www.postgresql.org/docs/18/sql-copy.html): a header, then for each row the number of fields in two bytes
 * and the field's length in four, with -1 as the number after the last row.
 * @returns chunks of about 1 MiB of whole rows joined by commas, each in its own memory, so it can be transferred to a thread
 */
export async function* copyJsonRows(
  client: pg.PoolClient,
  query: string,
): AsyncGenerator<Buffer<ArrayBuffer>> {
  let piece = Buffer.allocUnsafeSlow(chunkBytes)
  let end = 0
  let headed = false
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of client.query(copyTo(`copy (${query}) to stdout (format binary)`))) {
    const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    if (!headed && bytes.length >= headerBytes) {
      headed = true
      at = headerBytes
    }
    // The trailer is shorter than a frame.
    while (headed && bytes.length - at >= frameBytes) {
      const length = bytes.readInt32BE(at + 2)
      const start = at + frameBytes
      if (bytes.length - start < length) break
      if (end > 0 && end + 1 + length > piece.length) {
        yield piece.subarray(0, end)
        piece = Buffer.allocUnsafeSlow(chunkBytes)
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
