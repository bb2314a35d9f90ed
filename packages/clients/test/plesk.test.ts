import type { ServerResponse } from 'node:http'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openPlesk, PleskError, type PleskSettings } from '../src/plesk/index.ts'
import { checkPlesk } from './plesk-kit.ts'
import { startPleskServer } from './plesk-server.ts'

const node = { name: 'bz-cloud-01', plesk_fqdn: 'panel.hosting.test' }
const server = await startPleskServer(node.plesk_fqdn)
const { responses, requests } = server
afterAll(() => server.stop())

const domain = (id: number, name: string, more: object = {}) => ({
  id,
  name,
  ascii_name: name,
  hosting_type: 'virtual',
  base_domain_id: 0,
  guid: 'b7c0',
  aliases: [],
  ...more,
})
const hotel = domain(7, 'hotel.test', {
  aliases: [
    { name: 'WWW.hotel-online.test', web: true },
    { name: 'hotel.example', web: true },
  ],
})
const info = [
  'Hosting',
  '='.repeat(29),
  `${'FTP Login:'.padEnd(40)}hotel_1`,
  `${'Disk space used by httpdocs:'.padEnd(40)}96.0 KB`,
].join('\n')
const subscription = {
  status: 0,
  sysuser: 'hotel_1',
  disk_usage: 98_304,
  sites: ['archiv.hotel.test', 'staging.hotel.test'],
  aliases: ['hotel.example', 'www.hotel-online.test'],
  problems: [],
}
const call = 'POST /api/v2/cli/domain/call'

const settings: PleskSettings = {
  keys: { [node.name]: 'secret-key' },
  certificates: { [node.name]: server.fingerprint },
  connectTo: `${node.plesk_fqdn}:8443:127.0.0.1:${server.port}`,
  timeoutMs: 1_000,
}
function open(overrides: Partial<PleskSettings> = {}) {
  const client = openPlesk({ ...settings, ...overrides })
  onTestFinished(() => client.close())
  return client
}
async function catchError(call: Promise<unknown>): Promise<PleskError> {
  const error = await call.catch((reason: unknown) => reason)
  if (!(error instanceof PleskError)) throw new Error(`It did not fail as it should: ${error}`)
  expect(JSON.stringify([error.message, error.codedMessage])).not.toContain('secret-key')
  return error
}
const respondText = (status: number, body: string) => (response: ServerResponse) =>
  void response.writeHead(status).end(body)

beforeEach(() => {
  responses.clear()
  requests.length = 0
  for (const [line, response] of Object.entries({
    'GET /api/v2/domains?name=hotel.test': [hotel],
    'GET /api/v2/domains?name=nobody.has.this.example': [],
    'GET /api/v2/domains': [
      hotel,
      domain(9, 'staging.hotel.test', { base_domain_id: 7 }),
      domain(8, 'Archiv.hotel.test', { base_domain_id: 7 }),
      domain(12, 'other.test'),
      domain(13, 'staging.other.test', { base_domain_id: 12 }),
    ],
    'GET /api/v2/domains/7/status': { status: 'active' },
    [call]: { code: 0, stdout: info, stderr: '' },
  }))
    responses.set(line, response)
})

describe('the client', () => {
  beforeEach(() => {
    const lines = [...responses]
    for (const [line, content] of lines) {
      responses.set(line, (response: ServerResponse) => {
        const isKnown = requests.at(-1)?.key === 'secret-key'
        respondText(
          isKnown ? 200 : 401,
          JSON.stringify(isKnown ? content : { code: 0, message: 'Bad login' }),
        )(response)
      })
    }
  })
  checkPlesk(() => ({ settings, node, fqdn: 'hotel.test' }))
})

test('reads a subscription by REST and command with the key', async () => {
  expect(await open().subscription(node, 'hotel.test')).toEqual(subscription)
  expect(requests.map(({ line }) => line).sort()).toEqual(
    [...responses.keys()].filter((line) => !line.includes('nobody')).sort(),
  )
  expect(new Set(requests.map(({ key }) => key))).toEqual(new Set(['secret-key']))
  expect(requests.find(({ line }) => line === call)?.body).toBe('{"params":["--info","hotel.test"]}')
})

test.each([
  ['active', 0],
  ['suspended', 16],
  ['disabled', 16],
])('maps the status %s to %s', async (status, number) => {
  responses.set('GET /api/v2/domains/7/status', { status })
  expect(await open().subscription(node, 'hotel.test')).toMatchObject({ status: number, problems: [] })
})

test('finds a name with an umlaut in the form that the node uses', async () => {
  const umlaut = domain(21, 'höfl.test', { ascii_name: 'xn--hfl-sna.test' })
  responses.set('GET /api/v2/domains?name=xn--hfl-sna.test', [])
  responses.set('GET /api/v2/domains?name=h%C3%B6fl.test', [umlaut])
  responses.set('GET /api/v2/domains/21/status', { status: 'active' })
  expect(await open().subscription(node, 'höfl.test')).toMatchObject({ sysuser: 'hotel_1' })
  expect(requests.find(({ line }) => line === call)?.body).toContain('xn--hfl-sna.test')
})

test('returns no sites for a site of another subscription', async () => {
  responses.set('GET /api/v2/domains?name=staging.hotel.test', [
    domain(9, 'staging.hotel.test', { base_domain_id: 7 }),
  ])
  responses.set('GET /api/v2/domains/9/status', { status: 'active' })
  expect(await open().subscription(node, 'staging.hotel.test')).toMatchObject({ sites: [], problems: [] })
})

test('reads the sites of a node that gets another panel from that panel', async () => {
  const moved = await startPleskServer('new-panel.hosting.test')
  onTestFinished(() => moved.stop())
  for (const [line, response] of responses) moved.responses.set(line, response)
  // There the id of the web's domain is that of another one.
  moved.responses.set('GET /api/v2/domains?name=hotel.test', [domain(12, 'hotel.test')])
  moved.responses.set('GET /api/v2/domains', [domain(12, 'hotel.test')])
  moved.responses.set('GET /api/v2/domains/12/status', { status: 'active' })
  const connectTo = `${settings.connectTo},new-panel.hosting.test:8443:127.0.0.1:${moved.port}`
  const client = open({ connectTo, certificates: {} })
  const before = { ...node, plesk_certificate: server.fingerprint }
  expect(await client.subscription(before, 'hotel.test')).toMatchObject({ sites: subscription.sites })
  const after = { ...node, plesk_fqdn: 'new-panel.hosting.test', plesk_certificate: moved.fingerprint }
  expect(await client.subscription(after, 'hotel.test')).toMatchObject({ sites: [], problems: [] })
})

test('caches the list of all domains for a minute', async () => {
  let now = 0
  const client = open({ now: () => now })
  const lists = () => requests.filter(({ line }) => line === 'GET /api/v2/domains').length
  await client.subscription(node, 'hotel.test')
  now += 59_000
  await client.subscription(node, 'hotel.test')
  expect(lists()).toBe(1)
  now += 2_000
  await client.subscription(node, 'hotel.test')
  expect(lists()).toBe(2)
})

const named = { node: node.name, fqdn: 'hotel.test' }
const service = { code: 'plesk_on', params: { node: node.name } }

describe('returns a subscription with the reason for its missing part after', () => {
  test.each([
    [
      'a command that fails',
      call,
      { code: 1, stdout: '', stderr: 'An error occurred: no such domain.\n' },
      { sysuser: null, disk_usage: null },
      { code: 'plesk_info_failed', params: { ...named, reason: 'An error occurred: no such domain' } },
    ],
    [
      'a command that fails without a message',
      call,
      { code: 3 },
      { sysuser: null },
      {
        code: 'plesk_info_failed',
        params: { ...named, reason: { code: 'plesk_info_exited', params: { exitCode: 3 } } },
      },
    ],
    [
      'a command that is not available',
      call,
      undefined,
      { sysuser: null },
      { code: 'plesk_info_missing', params: named },
    ],
    [
      'a command output without the user',
      call,
      { code: 0, stdout: 'General\n====\nDomain name: hotel.test' },
      { sysuser: null, disk_usage: null },
      { code: 'plesk_sysuser_missing', params: named },
    ],
    [
      'an unknown status',
      'GET /api/v2/domains/7/status',
      { status: 'dreaming' },
      { status: null },
      { code: 'plesk_status_unknown', params: { ...named, word: 'dreaming' } },
    ],
    [
      'a response without aliases, as of an old panel',
      'GET /api/v2/domains?name=hotel.test',
      [{ ...hotel, aliases: undefined }],
      { aliases: null },
      { code: 'plesk_aliases_missing', params: named },
    ],
    [
      'a server error',
      'GET /api/v2/domains',
      respondText(500, 'oops'),
      { sites: null },
      { code: 'plesk_out_of_order', params: { node: node.name, status: 500 } },
    ],
    [
      'HTML',
      'GET /api/v2/domains',
      respondText(200, '<html>'),
      { sites: null },
      { code: 'service_answer_not_json' },
    ],
    [
      'an unexpected response',
      'GET /api/v2/domains',
      { a: 1 },
      { sites: null },
      { code: 'service_answer_unreadable' },
    ],
    [
      'a hanging request',
      'GET /api/v2/domains',
      () => undefined,
      { sites: null },
      { code: 'service_timed_out', params: { service, seconds: 1 } },
    ],
  ])('%s', async (_, line, response, missing, problem) => {
    if (response === undefined) responses.delete(line)
    else responses.set(line, response)
    const found = await open().subscription(node, 'hotel.test')
    expect(found).toEqual({ ...subscription, ...missing, ...(found && pickAlsoMissing(found, missing)) })
    expect(found?.problems.length).toBeGreaterThan(0)
    expect(JSON.stringify(found?.problems)).not.toContain('secret-key')
    expect(found?.problems[0]).toMatchObject(problem)
  })
  /** The values of the same command are missing too. */
  const pickAlsoMissing = (found: object, missing: object) =>
    Object.fromEntries(
      Object.entries(found).filter(
        ([field]) => field === 'problems' || ('sysuser' in missing && field === 'disk_usage'),
      ),
    )
})

test('returns no user and no disk usage for a forwarding domain', async () => {
  responses.set('GET /api/v2/domains?name=hotel.test', [{ ...hotel, hosting_type: 'standard_forwarding' }])
  responses.set(call, { code: 0, stdout: '' })
  expect(await open().subscription(node, 'hotel.test')).toMatchObject({ sysuser: null, problems: [] })
})

describe('a failed call', () => {
  test.each([
    ['does not accept the key', respondText(401, '{"code":0,"message":"x"}'), 401, 'plesk_key_refused'],
    ['forbids it', respondText(403, ''), 403, 'plesk_key_restricted', undefined],
    [
      'rejects it',
      respondText(400, '{"code":0,"message":"Bad  name."}'),
      400,
      'plesk_refused',
      { reason: 'Bad name' },
    ],
    ['rejects it without a reason', respondText(429, 'slow'), 429, 'plesk_refused_status', { status: 429 }],
    ['has a server error', respondText(503, '<html>'), 503, 'plesk_out_of_order', { status: 503 }],
    ['responds with HTML', respondText(200, '<html>'), 200, 'service_answer_not_json', { service }],
    [
      'responds with something else',
      respondText(200, '[{"id":"7"}]'),
      200,
      'service_answer_unreadable',
      { where: expect.stringMatching(/^0\.id: /) },
    ],
    [
      'closes the connection',
      (response: ServerResponse) => void response.destroy(),
      0,
      'service_unreachable',
      { reason: { code: 'connection_broke' } },
    ],
    ['does not respond', () => undefined, 0, 'service_timed_out', { seconds: 1 }],
    [
      'stops in the middle of a response',
      (response: ServerResponse) => void response.writeHead(200).write('[{"id":'),
      0,
      'service_timed_out',
      { service, seconds: 1 },
    ],
  ])('reports that the node %s', async (_, response, status, code, params?: object) => {
    responses.set('GET /api/v2/domains?name=hotel.test', response)
    const error = await catchError(open().subscription(node, 'hotel.test'))
    expect(error).toMatchObject({ status, codedMessage: { code, ...(params && { params }) } })
  })

  test('reports that nothing listens', async () => {
    const client = open({ connectTo: `:8443:127.0.0.1:1` })
    expect((await catchError(client.subscription(node, 'hotel.test'))).codedMessage).toEqual({
      code: 'service_unreachable',
      params: { service, reason: { code: 'connection_refused' } },
    })
  })

  test.each([{ [node.name]: 'AA'.repeat(32) }, {}])(
    'sends no key if the certificate is not the pinned one (%o)',
    async (certificates) => {
      await catchError(open({ certificates }).subscription(node, 'hotel.test'))
      expect(requests).toEqual([])
    },
  )

  test('names the client, not the node, if it was closed', async () => {
    responses.set('GET /api/v2/domains?name=hotel.test', () => undefined)
    const client = openPlesk(settings)
    setTimeout(() => client.close(), 20)
    await expect(client.subscription(node, 'hotel.test')).rejects.toEqual(
      new Error('The HTTP client was closed (Plesk on bz-cloud-01)'),
    )
  })
})

test('accepts a pin with and without colons', async () => {
  const pin = server.fingerprint.replaceAll(':', '').toLowerCase()
  const client = open({ certificates: { [node.name]: pin } })
  expect(await client.subscription(node, 'hotel.test')).toEqual(subscription)
})
