import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { openLog } from '@kustos/domain/platform/logger'
import { describe, expect, it, vi } from 'vitest'
import { createUser, listen, signIn } from './api-client.ts'
import { credentialsOf, requestText } from './security/raw-http.ts'

const database = await testDatabase()

type Line = Readonly<Record<string, unknown>>
const lines: Line[] = []
const log = openLog({
  name: 'kustos-api',
  level: 'debug',
  secrets: [],
  to: { write: (line) => void lines.push(JSON.parse(line)) },
})
const origin = await listen(database, { log })
const proxied = await listen(database, { log, trustProxy: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'] })
const user = await createUser(database, 'anna@kustos.test', ['view webs'])
const anna = await signIn(origin, 'anna@kustos.test')

/** The log line of a request, which is written after its response. */
const findLine = (response: Response): Promise<Line> =>
  vi.waitFor(() => {
    const id = response.headers.get('x-request-id')
    const found = lines.filter((line) => line.req_id === id && line.msg === 'request')
    expect(found).toHaveLength(1)
    return found[0] ?? {}
  }, 30_000)

it('logs one line per request with user, route and outcome', async () => {
  const response = await anna.fetch('/api/users/current?token=nobody-logs-this')
  const line = await findLine(response)
  expect(line).toEqual({
    level: 30,
    time: expect.any(Number),
    pid: process.pid,
    hostname: expect.any(String),
    name: 'kustos-api',
    msg: 'request',
    req_id: response.headers.get('x-request-id'),
    method: 'GET',
    route: '/api/users/current',
    path: '/api/users/current',
    status: 200,
    ms: expect.any(Number),
    address: '127.0.0.1',
    user,
    bytes: expect.any(Number),
  })
})

it('logs frequent polling at debug and server faults at error', async () => {
  const readLevel = async (path: string) => (await findLine(await anna.fetch(path))).level
  expect([
    await readLevel('/api/health'),
    await readLevel('/api/ready'),
    await readLevel('/metrics'),
  ]).toEqual([20, 20, 20])
  expect(await readLevel('/api/webs/2000000000')).toBe(30)
})

it('logs a request whose client disconnects', async () => {
  const end = new AbortController()
  const response = await anna.fetch('/api/events', { signal: end.signal })
  end.abort()
  expect(await findLine(response)).toMatchObject({ route: '/api/events', status: 200, aborted: true })
})

it('logs the address of a client that disconnects during the download of a file', async () => {
  const frontendFolder = await mkdtemp(join(tmpdir(), 'kustos-frontend-'))
  await writeFile(join(frontendFolder, 'index.html'), '')
  // Exceeds the socket buffers.
  await writeFile(join(frontendFolder, 'large.bin'), Buffer.alloc(40 * 1024 ** 2, 'x'))
  const sent = request(`${await listen(database, { log, frontendFolder })}/large.bin`, (response) => {
    response.on('error', () => undefined)
    response.once('data', () => sent.destroy())
  })
  sent.on('error', () => undefined).end()
  const line = { path: '/large.bin', aborted: true, address: '127.0.0.1' }
  await expect.poll(() => lines).toContainEqual(expect.objectContaining(line))
  await rm(frontendFolder, { recursive: true })
})

it('logs no fault if the client of a preview disconnects while its webs are selected', async () => {
  const text = 'A'.repeat(200)
  await database.db
    .insert(webs)
    .values({ fqdn: 'evil.test', fqdn_ascii: 'evil.test', customer: text, configured_ip: '192.0.2.7' })
  await createUser(database, 'admin@kustos.test', 'admin')
  const admin = await signIn(origin, 'admin@kustos.test')
  const end = new AbortController()
  const body = { action: 'refresh', filter: `f.customer=${encodeURIComponent('regex:(A|AA)+B')}` }
  const preview = admin.fetch('/api/batches/preview', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-xsrf-token': decodeURIComponent(admin.cookies.get('XSRF-TOKEN') ?? ''),
    },
    body: JSON.stringify(body),
    signal: end.signal,
  })
  setTimeout(() => end.abort(), 500)
  await expect(preview).rejects.toThrow()
  const route = '/api/batches/preview'
  await expect.poll(() => lines).toContainEqual(expect.objectContaining({ route, aborted: true }))
  // What its handler throws is handled a moment later.
  await sleep(500)
  expect(lines.filter(({ level }) => Number(level) >= 50)).toEqual([])
})

it('logs no fault if a client disconnects before it has sent its body', async () => {
  const before = lines.length
  const headers = { ...credentialsOf(anna), 'content-type': 'application/json', 'content-length': '100' }
  const socket = createConnection(Number(new URL(origin).port), '127.0.0.1')
  socket.write(requestText('PUT', `/api/users/${user}`, headers, '{"name":'))
  await sleep(200)
  socket.destroy()
  const route = '/api/users/:id'
  await expect.poll(() => lines).toContainEqual(expect.objectContaining({ route, aborted: true }))
  await sleep(200)
  expect(lines.slice(before).filter(({ level }) => Number(level) >= 40)).toEqual([])
})

it('logs no fault if a client disconnects during an export of the log', async () => {
  // Exceeds the socket buffers.
  await database.owner.pool.query(
    `insert into log_entries (created_at, log_name, description, properties)
    select now(), 'webs', 'updated', jsonb_build_object('attributes', jsonb_build_object('comment', repeat(md5(n::text), 100)))
    from generate_series(1, 6000) n`,
  )
  await createUser(database, 'reader@kustos.test', ['view logs'])
  const { cookie } = credentialsOf(await signIn(origin, 'reader@kustos.test'))
  const before = lines.length
  const sent = request(`${origin}/api/logs/export`, { headers: { cookie } })
  sent.on('response', (response) => {
    response.on('error', () => undefined)
    response.once('data', () => sent.destroy())
  })
  sent.on('error', () => undefined).end()
  const route = '/api/logs/export'
  await expect.poll(() => lines).toContainEqual(expect.objectContaining({ route, aborted: true }))
  await sleep(200)
  expect(lines.slice(before).filter(({ level }) => Number(level) >= 40)).toEqual([])
})

describe('a request id', () => {
  it.each([
    ['a known path', '/api/health', 200],
    ['an unknown path', '/api/none', 404],
    ['a malformed path', '/%', 400],
    ['an unknown route', '/api/logs-of-nobody', 404],
    ['a request without a session', '/api/users/current', 401],
    ['metrics', '/metrics', 200],
  ])('is in the response and the log line of %s', async (_, path, status) => {
    const response = await fetch(origin + path)
    expect(response.status).toBe(status)
    expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
    expect(await findLine(response)).toMatchObject({ status })
  })

  const requestWithId = async (at: string, id: string) =>
    (await fetch(`${at}/api/health`, { headers: { 'x-request-id': id } })).headers.get('x-request-id')

  it('is accepted from a trusted proxy only', async () => {
    expect(await requestWithId(proxied, 'proxy-0123456789')).toBe('proxy-0123456789')
    expect(await requestWithId(origin, 'proxy-0123456789')).toMatch(/^[\da-f-]{36}$/)
  })

  it.each(['short', 'x'.repeat(65), 'with space in it', '{"req_id":"forged"}', 'überlang-und-rund', ''])(
    'is generated if the proxy sends %j',
    async (id) => {
      const responseId = await new Promise<string>((resolve, reject) => {
        const sentRequest = request(`${proxied}/api/health`, {
          headers: { 'x-request-id': Buffer.from(id).toString('latin1') },
        })
        sentRequest.on('response', (response) => {
          response.resume()
          resolve(String(response.headers['x-request-id']))
        })
        sentRequest.on('error', reject).end()
      })
      expect(responseId).toMatch(/^[\da-f-]{36}$/)
    },
  )
})
