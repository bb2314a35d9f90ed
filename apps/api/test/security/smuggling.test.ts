import { webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { ApiClient, createUser, listen, signIn } from '../api-client.ts'
import { credentialsOf, requestText, sendRaw } from './raw-http.ts'

const database = await testDatabase()
const origin = await listen(database, {
  limits: { headersMs: 1_000, requestMs: 1_000, checkIntervalMs: 100, keepAliveMs: 300 },
})
await createUser(database, 'admin@kustos.test', 'admin')

let credentials = credentialsOf(new ApiClient(origin))
beforeAll(async () => {
  credentials = credentialsOf(await signIn(origin, 'admin@kustos.test'))
})

/** A request that a proxy with other rules for lengths treats as the next one, or as the body of the first one. */
const buildHidden = () =>
  requestText(
    'POST',
    '/api/webs',
    { ...credentials, 'content-type': 'application/json', 'content-length': '70' },
    JSON.stringify({ fqdn: 'smuggled.test', customer: 'A', configured_ip: '192.0.2.1' }).padEnd(70),
  )

describe('a request with two possible ends is rejected without running one hidden in it', () => {
  it.each<[string, Record<string, string>, string]>([
    ['a length and chunks', { 'content-length': '4', 'transfer-encoding': 'chunked' }, '0\r\n\r\n'],
    ['chunks and a length', { 'transfer-encoding': 'chunked', 'content-length': '0' }, '0\r\n\r\n'],
    ['two lengths', { 'content-length': '0\r\ncontent-length: 5' }, ''],
    ['the same length twice', { 'content-length': '0\r\ncontent-length: 0' }, ''],
    ['two lengths in one', { 'content-length': '0, 5' }, ''],
    ['a length with a sign', { 'content-length': '+0' }, ''],
    ['a length in another base', { 'content-length': '0x0' }, ''],
    ['an encoding twice', { 'transfer-encoding': 'chunked\r\ntransfer-encoding: identity' }, '0\r\n\r\n'],
    ['an unknown encoding after chunks', { 'transfer-encoding': 'chunked, nonsense' }, '0\r\n\r\n'],
    ['an encoding with a tab', { 'transfer-encoding': '\tchunked, \tidentity' }, '0\r\n\r\n'],
    ['an encoding with a vertical tab', { 'transfer-encoding': '\x0bchunked' }, '0\r\n\r\n'],
    ['a name with a space', { 'transfer-encoding ': 'chunked' }, '0\r\n\r\n'],
    ['a name with a colon before it', { ':transfer-encoding': 'chunked' }, '0\r\n\r\n'],
    [
      'a folded header',
      { 'x-a': 'b\r\n transfer-encoding: chunked', 'transfer-encoding': 'chunked, x' },
      '0\r\n\r\n',
    ],
    ['a chunk of an odd length', { 'transfer-encoding': 'chunked' }, '0x5\r\nabcde\r\n0\r\n\r\n'],
    ['a chunk with a lone line feed', { 'transfer-encoding': 'chunked' }, '5\nabcde\n0\n\n'],
    ['a chunk of a negative length', { 'transfer-encoding': 'chunked' }, '-1\r\n\r\n0\r\n\r\n'],
    ['a chunk that is longer than it says', { 'transfer-encoding': 'chunked' }, '1\r\nabcdef\r\n0\r\n\r\n'],
    ['a bare carriage return', { 'x-a': 'b\rtransfer-encoding: chunked' }, ''],
  ])('%s', async (_, headers, body) => {
    const first = requestText('POST', '/api/logout', { cookie: '', ...headers }, body)
    const { statuses, text } = await sendRaw(origin, first + buildHidden(), { timeoutMs: 4_000 })
    expect(statuses).not.toContain(201)
    // The part before the fault may get its own response, which is 419 without a token.
    expect(statuses.filter((status) => ![400, 408, 419].includes(status))).toEqual([])
    expect(statuses.length).toBeGreaterThan(0)
    expect(text).not.toContain('smuggled.test')
  })

  it('no hidden request has written anything', async () => {
    expect(await database.db.select().from(webs)).toEqual([])
  })

  it('the hidden request succeeds by itself', async () => {
    expect(
      (await sendRaw(origin, buildHidden(), { timeoutMs: 4_000, until: /smuggled\.test/ })).statuses,
    ).toEqual([201])
  })
})

it.each([
  ['no host', 'GET /api/health HTTP/1.1\r\n\r\n'],
  ['an invalid version', 'GET /api/health HTTP/9.9\r\nhost: a\r\n\r\n'],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a method in small letters', 'get /api/health HTTP/1.1\r\nhost: a\r\n\r\n'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
])('rejects a request with %s', async (_, text) => {
  const { statuses, isClosed } = await sendRaw(origin, text, { timeoutMs: 4_000 })
  expect(statuses.filter((status) => status < 400)).toEqual([])
  expect(isClosed).toBe(true)
})

it('rejects an upgrade to another protocol', async () => {
  for (const upgrade of ['websocket', 'h2c', 'TLS/1.0']) {
    const text = requestText('GET', '/api/health', {
      connection: 'upgrade',
      upgrade,
      'sec-websocket-key': 'a',
    })
    const { statuses } = await sendRaw(origin, text, { timeoutMs: 2_000, until: /\}$/ })
    expect([upgrade, statuses.includes(101)]).toEqual([upgrade, false])
  }
})
