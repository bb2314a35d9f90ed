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
const pieceBytes = 1024 ** 2

/**
 * Reads a query with one JSON column through binary COPY, which skips the driver's work for each row. Rows are passed on as they
 * arrive, maybe in parts, since each further copy of a large list makes the garbage collector run.
 *
 * The format (https://www.postgresql.org/docs/18/sql-copy.html): a header, then for each row the number of fields in two bytes
 * and the field's length in four, with -1 as the number after the last row.
 * @param begin called before each row with its length
 */
async function copyRows(
  client: pg.PoolClient,
  query: string,
  begin: (bytes: number) => void,
  write: (chunk: Buffer, from: number, to: number) => void,
): Promise<void> {
  const frame = Buffer.alloc(frameBytes)
  let framed = 0
  let skipped = 0
  let missing = 0
  for await (const chunk of client.query(
    copyTo(`copy (${query}) to stdout (format binary)`),
  ) as AsyncIterable<Buffer>) {
    let at = Math.min(headerBytes - skipped, chunk.length)
    skipped += at
    while (at < chunk.length) {
      if (missing === 0) {
        const copied = chunk.copy(frame, framed, at, at + frameBytes - framed)
        at += copied
        framed += copied
        // The trailer is shorter than a frame.
        if (framed < frameBytes) break
        framed = 0
        missing = frame.readInt32BE(frameBytes - 4)
        begin(missing)
      }
      const to = Math.min(at + missing, chunk.length)
      write(chunk, at, to)
      missing -= to - at
      at = to
    }
  }
}

/** Passes on chunks of about 1 MiB of whole rows joined by commas, each in its own memory, so it can be transferred to a thread. */
export async function copyJsonRows(
  client: pg.PoolClient,
  query: string,
  take: (piece: Buffer<ArrayBuffer>) => void,
): Promise<void> {
  let piece = Buffer.allocUnsafeSlow(pieceBytes)
  let end = 0
  const begin = (bytes: number) => {
    if (end > 0 && end + 1 + bytes > piece.length) {
      take(piece.subarray(0, end))
      piece = Buffer.allocUnsafeSlow(pieceBytes)
      end = 0
    }
    if (bytes > piece.length) piece = Buffer.allocUnsafeSlow(bytes)
    if (end > 0) piece[end++] = comma
  }
  await copyRows(client, query, begin, (chunk, from, to) => {
    end += chunk.copy(piece, end, from, to)
  })
  if (end > 0) take(piece.subarray(0, end))
}

/**
 * @param expectedBytes of the whole, which saves copies
 * @returns the rows joined by commas, between two texts
 */
export async function readJsonRows(
  client: pg.PoolClient,
  query: string,
  [before, after]: readonly [string, string],
  expectedBytes: number,
): Promise<Buffer> {
  let body = Buffer.allocUnsafeSlow(Math.max(expectedBytes, pieceBytes))
  let end = 0
  const reserve = (bytes: number) => {
    if (end + bytes <= body.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * body.length, end + bytes))
    body.copy(larger, 0, 0, end)
    body = larger
  }
  const append = (text: string) => {
    reserve(Buffer.byteLength(text))
    end += body.write(text, end)
  }
  append(before)
  let isFirst = true
  const begin = (bytes: number) => {
    reserve(bytes + 1)
    if (!isFirst) body[end++] = comma
    isFirst = false
  }
  await copyRows(client, query, begin, (chunk, from, to) => {
    end += chunk.copy(body, end, from, to)
  })
  append(after)
  return body.subarray(0, end)
}
