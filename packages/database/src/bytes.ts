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

/**
 * The rows of a query with one column of JSON text, as bytes, each row after a comma: the inside of an array once the
 * first byte is dropped. COPY skips what a driver does for each row: parsing it, and making it a string.
 *
 * As CSV with delimiter and quote that JSON text cannot contain (it escapes control characters), rows come out as they
 * are, a line feed behind each, which JSON takes for white space.
 */
export async function copyJsonRows(client: pg.PoolClient, query: string): Promise<Buffer> {
  const text = `select ',' || rows.json::text from (${query}) rows(json)`
  const stream = client.query(
    copyTo(`copy (${text}) to stdout (format csv, delimiter E'\\x01', quote E'\\x02')`),
  )
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}
