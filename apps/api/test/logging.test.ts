import { request } from 'node:http'
import { testDatabase } from '@kustos/database/testing'
import { openLog } from '@kustos/domain/platform/logger'
import { describe, expect, it, vi } from 'vitest'
import { createUser, listen, signIn } from './api-client.ts'

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
const behind = await listen(database, { log, trustProxy: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'] })
const user = await createUser(database, 'anna@kustos.test', ['view webs'])
const anna = await signIn(origin, 'anna@kustos.test')

/** The line of an answered request, which is written once its answer is out. */
const lineOf = (answer: Response): Promise<Line> =>
  vi.waitFor(() => {
    const id = answer.headers.get('x-request-id')
    const found = lines.filter((line) => line.req_id === id && line.msg === 'request')
    expect(found).toHaveLength(1)
    return found[0] ?? {}
  })

it('logs one line per request with user, route and outcome', async () => {
  const answer = await anna.fetch('/api/users/current?token=nobody-logs-this')
  const line = await lineOf(answer)
  expect(line).toEqual({
    level: 30,
    time: expect.any(Number),
    pid: process.pid,
    hostname: expect.any(String),
    name: 'kustos-api',
    msg: 'request',
    req_id: answer.headers.get('x-request-id'),
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
  const levels = async (path: string) => (await lineOf(await anna.fetch(path))).level
  expect([await levels('/api/health'), await levels('/api/ready'), await levels('/metrics')]).toEqual([
    20, 20, 20,
  ])
  expect(await levels('/api/webs/2000000000')).toBe(30)
})

it('logs a request whose client disconnects', async () => {
  const end = new AbortController()
  const answer = await anna.fetch('/api/events', { signal: end.signal })
  end.abort()
  expect(await lineOf(answer)).toMatchObject({ route: '/api/events', status: 200, aborted: true })
})

describe('a request id', () => {
  it.each([
    ['a known path', '/api/health', 200],
    ['an unknown one', '/api/none', 404],
    ['one that is not well-formed', '/%', 400],
    ['a refusal', '/api/logs-of-nobody', 404],
    ['a stranger', '/api/users/current', 401],
    ['metrics', '/metrics', 200],
  ])('is in the response and the log line of %s', async (_, path, status) => {
    const answer = await fetch(origin + path)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
    expect(await lineOf(answer)).toMatchObject({ status })
  })

  const idFor = async (at: string, given: string) =>
    (await fetch(`${at}/api/health`, { headers: { 'x-request-id': given } })).headers.get('x-request-id')

  it('is taken from a trusted proxy and from nobody else', async () => {
    expect(await idFor(behind, 'proxy-0123456789')).toBe('proxy-0123456789')
    expect(await idFor(origin, 'proxy-0123456789')).toMatch(/^[\da-f-]{36}$/)
  })

  it.each(['short', 'x'.repeat(65), 'with space in it', '{"req_id":"forged"}', 'überlang-und-rund', ''])(
    'is generated if the proxy sends %j',
    async (given) => {
      const sent = await new Promise<string>((resolve, reject) => {
        const asked = request(`${behind}/api/health`, {
          headers: { 'x-request-id': Buffer.from(given).toString('latin1') },
        })
        asked.on('response', (answer) => {
          answer.resume()
          resolve(String(answer.headers['x-request-id']))
        })
        asked.on('error', reject).end()
      })
      expect(sent).toMatch(/^[\da-f-]{36}$/)
    },
  )
})
