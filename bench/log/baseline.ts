import http from 'node:http'
import type { AddressInfo } from 'node:net'
import postgres from 'postgres'

/**
 * The baseline for the audit log: a bare server of the same rows, which runs the query that the request carries. It
 * listens on loopback, in its own process, while the benchmark runs.
 */
const url = process.env.DATABASE_URL
if (url === undefined) throw new Error('DATABASE_URL is missing')
const sql = postgres(url)

async function rowsAsBytes(query: string): Promise<Buffer> {
  const rows = await sql.unsafe(`select row_to_json(l) from (${query}) l`).raw()
  const comma = Buffer.from(',')
  const parts = rows.flatMap((row) => {
    const [json] = row as unknown as Buffer[]
    return json ? [comma, json] : []
  })
  return Buffer.concat([Buffer.from('{"data":['), ...parts.slice(1), Buffer.from(']}')])
}

const server = http.createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '/', 'http://baseline')
  response.setHeader('content-type', 'application/json; charset=utf-8')
  rowsAsBytes(searchParams.get('rows') ?? '').then(
    (body) => response.end(body),
    (error: unknown) => response.destroy(error instanceof Error ? error : new Error(String(error))),
  )
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit(0))
