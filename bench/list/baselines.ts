import http from 'node:http'
import type { AddressInfo } from 'node:net'
import postgres from 'postgres'

/** The baselines for the web list: the least work a server of the same rows has to do. Runs in its own process. */
const url = process.env.DATABASE_URL
if (url === undefined) throw new Error('DATABASE_URL is missing')
const sql = postgres(url)

async function rowsAsBytes(): Promise<Buffer> {
  const rows = await sql
    .unsafe('select row_to_json(w) from webs w where deleted_at is null order by id')
    .raw()
  const comma = Buffer.from(',')
  const parts = rows.flatMap((row) => {
    const [json] = row as unknown as Buffer[]
    return json ? [comma, json] : []
  })
  return Buffer.concat([Buffer.from('{"data":['), ...parts.slice(1), Buffer.from(']}')])
}

const ready = await rowsAsBytes()
const server = http.createServer((request, response) => {
  response.setHeader('content-type', 'application/json; charset=utf-8')
  if (request.url === '/ready') {
    response.end(ready)
    return
  }
  rowsAsBytes().then(
    (body) => response.end(body),
    (error: unknown) => response.destroy(error instanceof Error ? error : new Error(String(error))),
  )
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit(0))
