import type { ServerResponse } from 'node:http'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openPlesk, PleskError, type PleskSettings } from '../src/plesk/index.ts'
import { checkPlesk } from './plesk-kit.ts'
import { startPleskServer } from './plesk-server.ts'

const node = { name: 'bz-cloud-01', plesk_fqdn: 'panel.hosting.test' }
const server = await startPleskServer(node.plesk_fqdn)
const { answers, asked } = server
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
function open(changed: Partial<PleskSettings> = {}) {
  const client = openPlesk({ ...settings, ...changed })
  onTestFinished(() => client.close())
  return client
}
async function failure(answer: Promise<unknown>): Promise<PleskError> {
  const error = await answer.catch((reason: unknown) => reason)
  if (!(error instanceof PleskError)) throw new Error(`It did not fail as it should: ${error}`)
  expect(JSON.stringify([error.message, error.said])).not.toContain('secret-key')
  return error
}
const text = (status: number, body: string) => (response: ServerResponse) =>
  void response.writeHead(status).end(body)

beforeEach(() => {
  answers.clear()
  asked.length = 0
  for (const [line, answer] of Object.entries({
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
    answers.set(line, answer)
})

describe('the client', () => {
  beforeEach(() => {
    const lines = [...answers]
    for (const [line, answer] of lines) {
      answers.set(line, (response: ServerResponse) => {
        const known = asked.at(-1)?.key === 'secret-key'
        text(known ? 200 : 401, JSON.stringify(known ? answer : { code: 0, message: 'Bad login' }))(response)
      })
    }
  })
  checkPlesk(() => ({ settings, node, fqdn: 'hotel.test' }))
})

test('reads a subscription with the key, by REST and command', async () => {
  expect(await open().subscription(node, 'hotel.test')).toEqual(subscription)
  expect(asked.map(({ line }) => line).sort()).toEqual(
    [...answers.keys()].filter((line) => !line.includes('nobody')).sort(),
  )
  expect(new Set(asked.map(({ key }) => key))).toEqual(new Set(['secret-key']))
  expect(asked.find(({ line }) => line === call)?.body).toBe('{"params":["--info","hotel.test"]}')
})

test.each([
  ['active', 0],
  ['suspended', 16],
  ['disabled', 16],
])('maps the status %s to %s', async (status, number) => {
  answers.set('GET /api/v2/domains/7/status', { status })
  expect(await open().subscription(node, 'hotel.test')).toMatchObject({ status: number, problems: [] })
})

test('finds a name with an umlaut in the form the node knows', async () => {
  const umlaut = domain(21, 'höfl.test', { ascii_name: 'xn--hfl-sna.test' })
  answers.set('GET /api/v2/domains?name=xn--hfl-sna.test', [])
  answers.set('GET /api/v2/domains?name=h%C3%B6fl.test', [umlaut])
  answers.set('GET /api/v2/domains/21/status', { status: 'active' })
  expect(await open().subscription(node, 'höfl.test')).toMatchObject({ sysuser: 'hotel_1' })
  expect(asked.find(({ line }) => line === call)?.body).toContain('xn--hfl-sna.test')
})

test('has no subscription for a site of another one', async () => {
  answers.set('GET /api/v2/domains?name=staging.hotel.test', [
    domain(9, 'staging.hotel.test', { base_domain_id: 7 }),
  ])
  answers.set('GET /api/v2/domains/9/status', { status: 'active' })
  expect(await open().subscription(node, 'staging.hotel.test')).toMatchObject({ sites: [], problems: [] })
})

test('reads the list of all domains once a minute', async () => {
  let now = 0
  const client = open({ now: () => now })
  const lists = () => asked.filter(({ line }) => line === 'GET /api/v2/domains').length
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

describe('reports what a node does not tell, with the reason, and returns the rest', () => {
  test.each([
    [
      'a command that fails, in an HTTP 200',
      call,
      { code: 1, stdout: '', stderr: 'An error occurred: no such domain.\n' },
      { sysuser: null, disk_usage: null },
      { code: 'plesk_info_failed', params: { ...named, reason: 'An error occurred: no such domain' } },
    ],
    [
      'a command that fails in silence',
      call,
      { code: 3 },
      { sysuser: null },
      {
        code: 'plesk_info_failed',
        params: { ...named, reason: { code: 'plesk_info_exited', params: { exitCode: 3 } } },
      },
    ],
    [
      'a command that may not be called',
      call,
      undefined,
      { sysuser: null },
      { code: 'plesk_info_missing', params: named },
    ],
    [
      'a text without the user',
      call,
      { code: 0, stdout: 'General\n====\nDomain name: hotel.test' },
      { sysuser: null, disk_usage: null },
      { code: 'plesk_sysuser_missing', params: named },
    ],
    [
      'a status that nobody has heard of',
      'GET /api/v2/domains/7/status',
      { status: 'dreaming' },
      { status: null },
      { code: 'plesk_status_unknown', params: { ...named, word: 'dreaming' } },
    ],
    [
      'an old panel without aliases',
      'GET /api/v2/domains?name=hotel.test',
      [{ ...hotel, aliases: undefined }],
      { aliases: null },
      { code: 'plesk_aliases_missing', params: named },
    ],
    [
      'a list that is out of order',
      'GET /api/v2/domains',
      text(500, 'oops'),
      { sites: null },
      { code: 'plesk_out_of_order', params: { node: node.name, status: 500 } },
    ],
    [
      'garbage',
      'GET /api/v2/domains',
      text(200, '<html>'),
      { sites: null },
      { code: 'service_answer_not_json' },
    ],
    [
      'another answer',
      'GET /api/v2/domains',
      { a: 1 },
      { sites: null },
      { code: 'service_answer_unreadable' },
    ],
    [
      'a hang',
      'GET /api/v2/domains',
      () => undefined,
      { sites: null },
      { code: 'service_timed_out', params: { service, seconds: 1 } },
    ],
  ])('%s', async (_, line, answer, missing, problem) => {
    if (answer === undefined) answers.delete(line)
    else answers.set(line, answer)
    const found = await open().subscription(node, 'hotel.test')
    expect(found).toEqual({ ...subscription, ...missing, ...(found && withoutTold(found, missing)) })
    expect(found?.problems.length).toBeGreaterThan(0)
    expect(JSON.stringify(found?.problems)).not.toContain('secret-key')
    expect(found?.problems[0]).toMatchObject(problem)
  })
  /** What has been asked of the same command is missing too. */
  const withoutTold = (found: object, missing: object) =>
    Object.fromEntries(
      Object.entries(found).filter(
        ([field]) => field === 'problems' || ('sysuser' in missing && field === 'disk_usage'),
      ),
    )
})

test('returns no user and no disk usage for a forwarding domain', async () => {
  answers.set('GET /api/v2/domains?name=hotel.test', [{ ...hotel, hosting_type: 'standard_forwarding' }])
  answers.set(call, { code: 0, stdout: '' })
  expect(await open().subscription(node, 'hotel.test')).toMatchObject({ sysuser: null, problems: [] })
})

describe('a failed call', () => {
  test.each([
    ['does not accept the key', text(401, '{"code":0,"message":"x"}'), 401, 'plesk_key_refused'],
    ['forbids it', text(403, ''), 403, 'plesk_key_restricted', undefined],
    ['refuses', text(400, '{"code":0,"message":"Bad  name."}'), 400, 'plesk_refused', { reason: 'Bad name' }],
    ['refuses in silence', text(429, 'slow'), 429, 'plesk_refused_status', { status: 429 }],
    ['is out of order', text(503, '<html>'), 503, 'plesk_out_of_order', { status: 503 }],
    ['answers HTML', text(200, '<html>'), 200, 'service_answer_not_json', { service }],
    [
      'answers something else',
      text(200, '[{"id":"7"}]'),
      200,
      'service_answer_unreadable',
      { where: expect.stringMatching(/^0\.id: /) },
    ],
    [
      'breaks off',
      (response: ServerResponse) => void response.destroy(),
      0,
      'service_unreachable',
      { reason: { code: 'connection_broke' } },
    ],
    ['hangs', () => undefined, 0, 'service_timed_out', { seconds: 1 }],
    [
      'hangs in the middle',
      (response: ServerResponse) => void response.writeHead(200).write('[{"id":'),
      0,
      'service_timed_out',
      { service, seconds: 1 },
    ],
  ])('reports that the node %s', async (_, answer, status, code, params?: object) => {
    answers.set('GET /api/v2/domains?name=hotel.test', answer)
    const error = await failure(open().subscription(node, 'hotel.test'))
    expect(error).toMatchObject({ status, said: { code, ...(params && { params }) } })
  })

  test('reports that nothing listens', async () => {
    const client = open({ connectTo: `:8443:127.0.0.1:1` })
    expect((await failure(client.subscription(node, 'hotel.test'))).said).toEqual({
      code: 'service_unreachable',
      params: { service, reason: { code: 'connection_refused' } },
    })
  })

  test.each([{ [node.name]: 'AA'.repeat(32) }, {}])(
    'sends no key if the certificate is not the pinned one (%o)',
    async (certificates) => {
      await failure(open({ certificates }).subscription(node, 'hotel.test'))
      expect(asked).toEqual([])
    },
  )

  test('ends when the client is closed, without blaming the node', async () => {
    answers.set('GET /api/v2/domains?name=hotel.test', () => undefined)
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
