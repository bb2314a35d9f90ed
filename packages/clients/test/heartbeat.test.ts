import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { type HeartbeatSettings, openHeartbeat } from '../src/heartbeat/heartbeat.ts'

const requests: string[] = []
const authorizations: (string | undefined)[] = []
const state = { respond: (response: ServerResponse): void => void response.end('OK') }
const server = createServer((request, response) => {
  requests.push(`${request.method} ${request.url}`)
  authorizations.push(request.headers.authorization)
  state.respond(response)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
const secret = '/ping/0d5c3f5e-secret'

function open(settings: Partial<HeartbeatSettings> = { allowNetworks: ['127.0.0.0/8'] }) {
  requests.length = 0
  const heartbeat = openHeartbeat({ url: `http://127.0.0.1:${port}${secret}?up=1`, ...settings })
  onTestFinished(() => heartbeat.close())
  return heartbeat
}

const failureOf = (beat: Promise<void>) =>
  beat.then(
    () => 'none',
    (error: Error) => error.message,
  )

test('calls the URL', async () => {
  await open().beat()
  expect(requests).toEqual([`GET ${secret}?up=1`])
})

test.each([
  ['kustos:pass%20word%40', 'kustos:pass word@'],
  ['kustos', 'kustos:'],
  [':50%', ':50%'],
])('signs in with the user and the password of the URL (%s)', async (login, credentials) => {
  await open({ url: `http://${login}@127.0.0.1:${port}${secret}`, allowNetworks: ['127.0.0.0/8'] }).beat()
  expect(requests).toEqual([`GET ${secret}`])
  expect(authorizations.at(-1)).toBe(`Basic ${Buffer.from(credentials).toString('base64')}`)
})

test('connects to no private address that is not allowed', async () => {
  const failure = await failureOf(open({}).beat())
  expect(failure).toMatch(/^The service of HEARTBEAT_URL cannot be reached: /)
  expect(failure).not.toContain(secret)
  expect(requests).toEqual([])
})

test.each([
  ['a status', (response: ServerResponse) => void response.writeHead(404).end(), 'responded with status 404'],
  [
    'a redirect',
    (response: ServerResponse) => void response.writeHead(302).end(),
    'responded with status 302',
  ],
  ['silence', () => undefined, 'did not respond within 1 s'],
])('fails on %s', async (_, respond, sentence) => {
  state.respond = respond
  const failure = await failureOf(open({ allowNetworks: ['127.0.0.0/8'], timeoutMs: 200 }).beat())
  expect(failure).toContain(sentence)
  expect(failure).not.toContain(secret)
})
