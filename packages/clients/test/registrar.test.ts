import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openRegistrar, RegistrarError } from '../src/registrar/registrar.ts'
import { startRegistrarServer } from './registrar-server.ts'

const server = await startRegistrarServer()
const { state, registrar } = server
afterAll(() => server.stop())

const domain = (fqdn: string, more: object = {}) => ({ fqdn, customer: 'KÖGL', ...more })

beforeEach(() => {
  Object.assign(state, {
    domains: ['a.test', 'b.test', 'c.test', 'd.test', 'e.test'].map((fqdn) => domain(fqdn)),
    mailboxes: [{ address: 'Info@A.test', type: 'mailbox', customer: 'KÖGL', created_at: '2024-02-29' }],
    failure: null,
    held: null,
    total: undefined,
    isTotalFirst: false,
    requests: [],
  })
})

async function catchError(call: Promise<unknown>): Promise<RegistrarError> {
  const error = await call.catch((reason: unknown) => reason)
  if (!(error instanceof RegistrarError)) throw new Error(`It did not fail as it should: ${error}`)
  expect(error.message).toMatch(/registrar.*\.$/)
  expect(error.message).not.toContain('secret-token')
  return error
}

test('follows pages to the last one and ignores unknown fields', async () => {
  state.domains = [
    domain('a.test', {
      created_at: '2020-05-01T10:00:00+02:00',
      expires_at: '2027-05-01',
      auto_renew: false,
      handle: 'K-1',
    }),
    ...state.domains.slice(1),
  ]
  const { entries: list } = await registrar.domains()
  expect(list).toHaveLength(5)
  expect(list[0]).toEqual({
    fqdn: 'a.test',
    customer: 'KÖGL',
    created_at: new Date('2020-05-01T08:00:00Z'),
    expires_at: new Date('2027-05-01'),
    auto_renew: false,
  })
  expect(state.requests).toEqual([
    'Bearer secret-token /v1/domains',
    'Bearer secret-token /v1/domains?cursor=1',
    'Bearer secret-token /v1/domains?cursor=2',
  ])
  expect(await registrar.mailboxes()).toEqual({
    entries: [
      { address: 'info@a.test', type: 'mailbox', customer: 'KÖGL', created_at: new Date('2024-02-29') },
    ],
    unreadable: [],
  })
})

test('lists an entry that is on two pages once, even without a total', async () => {
  state.domains = ['a.test', 'b.test', 'B.test'].map((fqdn) => domain(fqdn))
  state.total = null
  expect((await registrar.domains()).entries).toHaveLength(2)
})

describe('an entry', () => {
  const readCreation = async (created_at: unknown) => {
    state.domains = [domain('a.test', { created_at })]
    return (await registrar.domains()).entries[0]?.created_at
  }

  test.each([
    ['2020-01-01 10:00:00', '2020-01-01T10:00:00Z'],
    ['2020-01-01T10:00:00', '2020-01-01T10:00:00Z'],
    ['2020-01-01 10:00:00+02:00', '2020-01-01T08:00:00Z'],
    ['2020-01-01', '2020-01-01T00:00:00Z'],
  ])('created at %s is read as %s', async (value, expected) => {
    expect(await readCreation(value)).toEqual(new Date(expected))
  })

  test.each([
    '0000-00-00',
    '01.02.2020',
    '',
    1577872800,
    {},
    // Zero dates and "never" of other systems, in UTC.
    '0000-01-01',
    '0001-01-01T00:00:00',
    '1970-01-01',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
  ])('has no date if its date is %j', async (value) => {
    expect(await readCreation(value)).toBeNull()
  })

  test.each([[''], ['  '], [null], [undefined], [7], ['x'.repeat(256)]])(
    'has no customer and type if they are %j',
    async (value) => {
      state.domains = [domain('a.test', { customer: value })]
      state.mailboxes = [{ address: 'info@a.test', type: value, customer: value }]
      const nothing = { customer: null, created_at: null }
      expect(await registrar.domains()).toEqual({
        entries: [{ fqdn: 'a.test', ...nothing, expires_at: null, auto_renew: null }],
        unreadable: [],
      })
      expect(await registrar.mailboxes()).toEqual({
        entries: [{ address: 'info@a.test', type: null, ...nothing }],
        unreadable: [],
      })
    },
  )

  test('without a name is reported as unreadable and counts towards the total', async () => {
    state.domains = [domain('a.test'), { customer: 'B' }, { fqdn: 7 }]
    expect(await registrar.domains()).toMatchObject({
      entries: [{ fqdn: 'a.test' }],
      unreadable: ['{"customer":"B"}', '{"fqdn":7}'],
    })
  })
})

describe('a list', () => {
  test('is rejected if the pages do not add up', async () => {
    state.total = 6
    expect((await catchError(registrar.domains())).message).toMatch(/says 6 entries and shows 5/)
  })

  test("if they do not add up to the first page's total", async () => {
    Object.assign(state, { total: 6, isTotalFirst: true })
    expect((await catchError(registrar.domains())).message).toMatch(/says 6 entries and shows 5/)
  })

  test('is rejected if none of its entries can be read', async () => {
    state.domains = [{ name: 'a.test' }, { name: 'b.test' }]
    expect((await catchError(registrar.domains())).message).toMatch(
      /cannot read, such as \{"name":"a.test"\}/,
    )
  })

  test.each([
    ['breaks the connection in the middle of a response', { dies: true }, 0, /the connection was lost/],
    ['reports a server error', { status: 503 }, 503, /server error/],
    ['reports too many requests', { status: 429 }, 429, /too many requests/],
    ['forbids it', { status: 403 }, 403, /LIMITIS_API_TOKEN/],
    ['does not know the token', { status: 401 }, 401, /expired or was revoked/],
    ['has no such list', { status: 404 }, 404, /Check LIMITIS_API_URL/],
    ['redirects', { status: 302 }, 302, /does not follow/],
    ['responds with HTML', { body: '<html>' }, 200, /invalid JSON/],
    ['responds with truncated JSON', { body: '{"data": [' }, 200, /invalid JSON/],
    ['responds with something else', { body: '{"domains": []}' }, 200, /unexpected response \(data/],
    ['never ends', { body: '{"data": [], "next": "/v1/domains?cursor=7"}' }, 200, /more than 1000 pages/],
    [
      'links to another host',
      { body: '{"data": [], "next": "http://192.0.2.1/v1/domains"}' },
      200,
      /another host/,
    ],
    ['links to an invalid URL', { body: '{"data": [], "next": "http://"}' }, 200, /no address/],
  ])('is rejected if the registrar %s on its second page', async (_, failure, status, sentence) => {
    state.failure = { list: 'domains', page: 1, ...failure } as typeof state.failure
    const error = await catchError(registrar.domains())
    expect(error.status).toBe(status)
    expect(error.message).toMatch(sentence)
  })

  test('is rejected if a response never arrives', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    state.held = promise
    expect((await catchError(registrar.domains())).message).toMatch(/did not respond within 1 s/)
    resolve()
  })

  test('is rejected if nothing listens', async () => {
    const closed = await startRegistrarServer()
    await closed.stop()
    const client = openRegistrar({ url: closed.url, token: 'secret-token', retryDelaysMs: [] })
    expect((await catchError(client.domains())).message).toMatch(/nothing answers at its address/)
    await client.close()
  })
})

test('retries transient failures', async () => {
  state.failure = { list: 'domains', page: 0, status: 502 }
  setTimeout(() => {
    state.failure = null
  }, 20)
  const client = openRegistrar({ url: server.url, token: 'secret-token', retryDelaysMs: [40] })
  expect((await client.domains()).entries).toHaveLength(5)
  await client.close()
})

test('names the client, not the registrar, if it was closed', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  state.held = promise
  const client = openRegistrar({ url: server.url, token: 'secret-token' })
  setTimeout(() => client.close(), 20)
  await expect(client.domains()).rejects.toEqual(new Error('The HTTP client was closed (The registrar)'))
  resolve()
})
