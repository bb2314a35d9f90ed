import { testDatabase } from '@kustos/database/testing'
import { describe, expect, it } from 'vitest'
import { createUser, listen, signIn } from '../api-client.ts'
import { credentialsOf, sendRaw, sendRequest } from './raw-http.ts'

const database = await testDatabase()
const origin = await listen(database, { hosts: ['kustos.test', 'xn--bcher-kva.test'] })
const proxied = await listen(database, { hosts: ['kustos.test'], trustProxy: ['127.0.0.1'] })
await createUser(database, 'viewer@kustos.test', ['view webs'])

const statusOf = async (path: string, host: string, at = origin, headers: Record<string, string> = {}) =>
  (await sendRequest(at, 'GET', path, { ...headers, host })).statuses

describe('the host of a request', () => {
  it.each([
    'kustos.test',
    'KUSTOS.test:8443',
    'kustos.test.',
    'xn--bcher-kva.test',
    'localhost',
    'localhost:3000',
    'console.localhost',
    '127.0.0.1:3000',
    '10.1.2.3',
    '[::1]:3000',
  ])('may be %s', async (host) => {
    expect(await statusOf('/api/users/current', host)).toEqual([401])
    expect(await statusOf('/metrics', host)).toEqual([200])
    expect(await statusOf('/', host)).toEqual([200])
  })

  it.each([
    'evil.test',
    'kustos.test.evil.test',
    'evil.test:80@kustos.test',
    'kustos.test, evil.test',
    'kustos.test/evil',
    'localhost.evil.test',
    '127.0.0.1.evil.test',
    '[::1',
    ':3000',
    '',
  ])('must not be %j', async (host) => {
    for (const path of [
      '/',
      '/api/users/current',
      '/sanctum/csrf-cookie',
      '/api/docs/',
      '/metrics',
      '/no/such/page',
      '/api/nothing',
    ])
      expect([path, await statusOf(path, host)]).toEqual([path, [400]])
  })

  it('is checked before a change', async () => {
    const headers = { ...credentialsOf(await signIn(origin, 'viewer@kustos.test')), host: 'evil.test' }
    expect((await sendRequest(origin, 'POST', '/api/logout', headers)).statuses).toEqual([400])
    expect(await statusOf('/api/users/current', 'kustos.test', origin, { cookie: headers.cookie })).toEqual([
      200,
    ])
  })

  it('must not be given twice, or be missing', async () => {
    for (const head of [
      'GET /api/users/current HTTP/1.1\r\nhost: kustos.test\r\nhost: evil.test',
      'GET /api/users/current HTTP/1.1\r\nhost: kustos.test\r\nHost: kustos.test',
      'GET /api/health HTTP/1.1\r\nhost: kustos.test\r\nhost: kustos.test',
      'GET /api/docs/ HTTP/1.1\r\nhost:',
      'GET /api/docs/ HTTP/1.0',
    ])
      expect([head, (await sendRaw(origin, `${head}\r\nconnection: close\r\n\r\n`)).statuses]).toEqual([
        head,
        [400],
      ])
  })

  it('may be anything for health checks, which say nothing but that', async () => {
    for (const path of ['/api/health', '/api/ready']) {
      expect(await statusOf(path, 'worker-7.internal')).toEqual([200])
      expect((await sendRaw(origin, `GET ${path} HTTP/1.0\r\n\r\n`)).statuses).toEqual([200])
    }
  })

  it('is what a trusted proxy says, and no one else', async () => {
    const forwarded = { 'x-forwarded-host': 'kustos.test' }
    expect(await statusOf('/api/users/current', 'api:3000', proxied, forwarded)).toEqual([401])
    expect(await statusOf('/api/users/current', 'api:3000', origin, forwarded)).toEqual([400])
    for (const host of ['evil.test', 'kustos.test, evil.test'])
      expect(
        await statusOf('/api/users/current', 'kustos.test', proxied, { 'x-forwarded-host': host }),
      ).toEqual([400])
  })
})

describe('a request target in absolute form', () => {
  it('is served like its path', async () => {
    const { text, statuses } = await sendRequest(origin, 'GET', 'http://kustos.test/sanctum/csrf-cookie')
    expect(statuses).toEqual([204])
    expect(text).toMatch(/set-cookie: XSRF-TOKEN=/i)
    const headers = credentialsOf(await signIn(origin, 'viewer@kustos.test'))
    for (const target of ['http://kustos.test/api/webs', 'HTTPS://kustos.test:443/api/webs?deleted='])
      expect([target, (await sendRequest(origin, 'GET', target, headers)).statuses]).toEqual([
        target,
        [target.includes('?') ? 422 : 200],
      ])
    expect((await sendRequest(origin, 'GET', 'http://kustos.test/api/users', headers)).statuses).toEqual([
      403,
    ])
    expect((await sendRequest(origin, 'GET', 'http://kustos.test')).statuses).toEqual([200])
  })

  it('names the host, whatever the header says', async () => {
    for (const target of ['http://x', 'http://evil.test', 'http://evil.test@kustos.test', 'http://'])
      expect([target, await statusOf(`${target}/sanctum/csrf-cookie`, 'kustos.test')]).toEqual([
        target,
        [400],
      ])
    expect(await statusOf('http://kustos.test/api/users/current', 'evil.test')).toEqual([401])
  })
})

it('the host changes nothing about a response', async () => {
  const readResponse = async (host: string) =>
    (await sendRequest(origin, 'GET', '/', { host })).text.replace(/^(date|x-request-id): .*$/gim, '')
  const plain = await readResponse('kustos.test')
  expect(plain).toMatch(/^HTTP\/1\.1 200 /)
  expect(await readResponse('localhost:9')).toBe(plain)
})
