import { testDatabase } from '@kustos/database/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { ApiClient, createUser, listen, password, signIn } from '../api-client.ts'
import { credentialsOf, type RawExchange, requestText, sendRaw } from './raw-http.ts'

const database = await testDatabase()
const origin = await listen(database)
/** With short timeouts, so that the tests are fast. */
const shortTimeoutOrigin = await listen(database, {
  limits: {
    headersMs: 400,
    requestMs: 800,
    checkIntervalMs: 100,
    socketIdleTimeoutMs: 1_500,
    keepAliveMs: 300,
  },
})
await createUser(database, 'admin@kustos.test', 'admin')

let admin = new ApiClient(origin)
let credentials = credentialsOf(admin)
const json = { 'content-type': 'application/json' }

beforeAll(async () => {
  admin = await signIn(origin, 'admin@kustos.test')
  credentials = credentialsOf(admin)
})

const measureHealthCheck = async (at = origin) => {
  const started = performance.now()
  expect((await fetch(`${at}/api/health`)).status).toBe(200)
  return performance.now() - started
}

function* trickle(start: string, piece: string, times = 1_000) {
  yield start
  for (let time = 0; time < times; time++) yield piece
}

describe('slow clients', () => {
  const expectDisconnected = ({ isClosed, text }: RawExchange, status: number) => {
    expect(isClosed).toBe(true)
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(text).toMatch(/x-content-type-options: nosniff/)
    expect(text).toMatch(/\{"message":"[\w '.]+"\}$/)
  }

  it('disconnects a client that sends endless headers', async () => {
    const exchange = await sendRaw(
      shortTimeoutOrigin,
      trickle('GET /api/health HTTP/1.1\r\nhost: a\r\n', 'x-a: b\r\n'),
      {
        pauseMs: 50,
        timeoutMs: 5_000,
      },
    )
    expectDisconnected(exchange, 408)
    expect(exchange.ms).toBeLessThan(5_000)
  })

  it('disconnects a client that sends an endless body', async () => {
    const start = requestText(
      'POST',
      '/api/login',
      { ...credentials, ...json, 'content-length': '5000' },
      '{',
    )
    const exchange = await sendRaw(shortTimeoutOrigin, trickle(start, ' '), { pauseMs: 50, timeoutMs: 5_000 })
    expectDisconnected(exchange, 408)
    expect(exchange.ms).toBeLessThan(5_000)
  })

  it('disconnects a client that sends endless chunks', async () => {
    const chunked = { ...credentials, ...json, 'transfer-encoding': 'chunked' }
    const exchange = await sendRaw(
      shortTimeoutOrigin,
      trickle(requestText('POST', '/api/login', chunked), '1\r\n \r\n'),
      {
        pauseMs: 50,
        timeoutMs: 5_000,
      },
    )
    expect([exchange.isClosed, exchange.statuses]).toEqual([true, [408]])
  })

  it.each([
    ['disconnects a client that sends no request', ''],
    ['disconnects a client that stays idle after a request', requestText('GET', '/api/health')],
  ])('%s', async (_, text) => {
    const exchange = await sendRaw(shortTimeoutOrigin, text, { timeoutMs: 5_000 })
    expect(exchange.isClosed).toBe(true)
  })

  it('disconnects two hundred slow clients while it serves others', async () => {
    const slow = Array.from({ length: 200 }, () =>
      sendRaw(shortTimeoutOrigin, trickle('GET / HTTP/1.1\r\n', 'x-a: b\r\n', 40), {
        pauseMs: 25,
        timeoutMs: 4_000,
      }),
    )
    await measureHealthCheck(shortTimeoutOrigin)
    const exchange = await Promise.all(slow)
    expect(exchange.every(({ isClosed }) => isClosed)).toBe(true)
    await measureHealthCheck(shortTimeoutOrigin)
  })
})

it('closes connections beyond the limit and keeps the others', async () => {
  const small = await listen(database, { limits: { connections: 5 } })
  const stay = Array.from({ length: 12 }, () => sendRaw(small, 'GET / HT', { timeoutMs: 700 }))
  const closed = (await Promise.all(stay)).filter(({ isClosed }) => isClosed).length
  expect(closed).toBeGreaterThanOrEqual(6)
  await measureHealthCheck(small)
})

describe('a request that is too large or malformed', () => {
  const post = (path: string, length: number | 'chunked', headers = {}, method = 'POST') =>
    requestText(method, path, {
      ...credentials,
      ...json,
      ...headers,
      ...(length === 'chunked' ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(length) }),
    })

  it.each([
    ['with a content length of a gigabyte', 'POST', '/api/webs', 2 ** 30],
    ['with a body above 256 KiB', 'POST', '/api/webs', 256 * 1024 + 1],
    ['with a contract above 4 MiB', 'PUT', '/api/customers/ALPEN/contract', 4 * 1024 ** 2 + 1],
    ['with a sign-in above 8 KiB', 'POST', '/api/login', 8 * 1024 + 1],
    ['with a body for a route without one', 'POST', '/api/logout', 1025],
  ])('is rejected unread %s', async (_, method, path, length) => {
    const { statuses } = await sendRaw(origin, post(path, length, {}, method), {
      until: /^HTTP\/1\.1 \d/,
      timeoutMs: 4_000,
    })
    expect(statuses).toEqual([413])
  })

  it('is rejected unread with chunks without a total length', async () => {
    const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`
    const { statuses } = await sendRaw(origin, trickle(post('/api/webs', 'chunked'), chunk, 400), {
      until: /^HTTP\/1\.1 \d/,
    })
    expect(statuses).toEqual([413])
  })

  it('is rejected unread with an invalid length', async () => {
    for (const length of ['-1', '1e9', '0x10', '99999999999999999999999', ' ', '5, 5']) {
      const text = requestText(
        'POST',
        '/api/login',
        { ...credentials, ...json, 'content-length': length },
        '{}',
      )
      const { statuses } = await sendRaw(origin, text, { until: /^HTTP\/1\.1 \d/ })
      expect([length, statuses[0]]).toEqual([length, 400])
    }
  })

  it.each([
    ['with a header of 20 KiB', { 'x-a': 'a'.repeat(20 * 1024) }, '/api/health'],
    [
      'with two thousand headers',
      Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`x-${n}`, 'abcdef'])),
      '/',
    ],
    ['with a path of 20 KiB', {}, `/api/${'a'.repeat(20 * 1024)}`],
  ])('is rejected unread %s', async (_, headers, path) => {
    const { text, statuses, isClosed } = await sendRaw(origin, requestText('GET', path, headers))
    expect([statuses, isClosed]).toEqual([[431], true])
    expect(text).toMatch(/nosniff/)
  })

  it('is rejected unread with a compressed body', async () => {
    for (const encoding of ['gzip', 'br', 'deflate', 'zstd']) {
      const response = await admin.send('POST', '/api/webs', 'H4sIAAAA', { 'content-encoding': encoding })
      expect([encoding, response.status]).toEqual([encoding, 400])
    }
  })
})

describe('malicious JSON', () => {
  const deep = (open: string, close: string, levels = 100_000) =>
    `${open.repeat(Math.min(levels, 120_000 / open.length))}1${close.repeat(Math.min(levels, 120_000 / open.length))}`
  const wide = () => `{${Array.from({ length: 20_000 }, (_, n) => `"k${n}":0`).join(',')}}`

  it.each([
    ['a hundred thousand nested lists', deep('[', ']')],
    ['twenty thousand nested objects', deep('{"a":', '}')],
    ['a field with nested lists', `{"fqdn":${deep('[', ']')}}`],
    ['twenty thousand fields', wide()],
    ['a list of forty thousand odd items', `{"categories":[${'[],'.repeat(40_000)}[]]}`],
    ['the same field thirty thousand times', `{${'"a":1,'.repeat(30_000)}"a":1}`],
    ['a number of two hundred thousand digits', `{"categories":[${'9'.repeat(200_000)}]}`],
    ['a text of two hundred thousand characters', JSON.stringify({ fqdn: '@'.repeat(200_000) })],
    ['a host of a hundred thousand dots', JSON.stringify({ fqdn: '.'.repeat(100_000) })],
    ['forty thousand escapes', `{"comment":"${'\\u0000'.repeat(40_000)}"}`],
  ])('%s is rejected in a short response while others are served', async (_, body) => {
    for (const path of ['/api/webs', '/api/users', '/api/roles', '/api/externalDomains']) {
      const response = await admin.send('POST', path, body)
      expect([path, response.status]).toEqual([path, 422])
      expect((await response.text()).length).toBeLessThan(20_000)
    }
    await measureHealthCheck()
  })
})

it('accepts a sign-in with the longest allowed password', async () => {
  const body = JSON.stringify({ email: 'admin@kustos.test', password: 'x' })
  const escaped = body.replace('"x"', `"${'\\u00fc'.repeat(1024)}"`)
  expect((await new ApiClient(origin).signIn('admin@kustos.test', password)).status).toBe(204)
  expect((await admin.send('POST', '/api/login', escaped)).status).toBe(401)
})
