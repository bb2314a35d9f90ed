import http from 'node:http'
import type { AddressInfo } from 'node:net'
import postgres from 'postgres'

/**
 * What the log is measured against: a bare server of the same rows. The query of the rows comes with the request. Runs
 * as a process of its own, on loopback, for the time of the benchmark.
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
  const { searchParams } = new URL(request.url ?? '/', 'http://floor')
  response.setHeader('content-type', 'application/json; charset=utf-8')
  rowsAsBytes(searchParams.get('rows') ?? '').then(
    (body) => response.end(body),
    (error: unknown) => response.destroy(error instanceof Error ? error : new Error(String(error))),
  )
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit(0))
