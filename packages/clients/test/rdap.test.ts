import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createBootstrap, type RdapSettings, readBootstrap } from '../src/rdap/rdap.ts'
import { domainObject, type RdapReply, startRdapServer } from './rdap-server.ts'

const server = await startRdapServer()
afterAll(() => server.stop())
beforeEach(() => {
  server.state.replies = {}
  server.state.requests = []
})

function open(settings?: Partial<RdapSettings>) {
  const rdap = server.open(settings)
  onTestFinished(() => rdap.close())
  return rdap
}

async function lookUp(reply: RdapReply | undefined, settings?: Partial<RdapSettings>) {
  if (reply) server.state.replies = { ...server.state.replies, 'a.test': reply }
  return open(settings).lookUp('a.test')
}

describe('a lookup', () => {
  test('finds when a registration ends, and the registrar', async () => {
    expect(await lookUp(domainObject('a.test', '2027-03-01T22:59:59Z'))).toEqual({
      outcome: 'found',
      registration: {
        expiresAt: new Date('2027-03-01T22:59:59Z'),
        registrar: 'Registrar GmbH',
        status: ['active'],
      },
    })
    expect(server.state.requests).toEqual(['a.test'])
  })

  test.each(['2027-03-01T22:59:59', '2027-03-01 22:59:59.000'])(
    'takes the time %s for UTC, whatever the time zone of this machine',
    async (date) => {
      vi.stubEnv('TZ', 'Europe/Rome')
      onTestFinished(() => void vi.unstubAllEnvs())
      expect(await lookUp(domainObject('a.test', date))).toMatchObject({
        registration: { expiresAt: new Date('2027-03-01T22:59:59Z') },
      })
    },
  )

  test('reads an answer that names the domain in Unicode', async () => {
    server.state.replies = { 'xn--mller-kva.test': domainObject('müller.test', '2027-03-01T00:00:00Z') }
    expect(await open().lookUp('xn--mller-kva.test')).toMatchObject({ outcome: 'found' })
  })

  test('claims no date if the registry publishes none', async () => {
    expect(await lookUp(domainObject('a.test'))).toMatchObject({
      outcome: 'found',
      registration: { expiresAt: null },
    })
  })

  test.each(['0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z'])(
    'takes the zero date %s for none',
    async (date) => {
      expect(await lookUp(domainObject('a.test', date))).toMatchObject({
        outcome: 'found',
        registration: { expiresAt: null },
      })
    },
  )

  test('reads what it can beside malformed events and entities', async () => {
    const { body = '' } = domainObject('a.test', '2027-03-01T00:00:00Z')
    const whole = JSON.parse(body)
    const events = [{ eventAction: 'last update of RDAP database' }, null, ...whole.events]
    const entities = [{ objectClassName: 'entity', handle: 'X', roles: ['abuse'] }, 'none', ...whole.entities]
    const mixed = { ...whole, status: [null, 'active'], events, entities }
    expect(await lookUp({ body: JSON.stringify(mixed) })).toEqual({
      outcome: 'found',
      registration: {
        expiresAt: new Date('2027-03-01T00:00:00Z'),
        registrar: 'Registrar GmbH',
        status: ['active'],
      },
    })
  })

  test('finds that a domain is not registered', async () => {
    expect(await lookUp(undefined)).toEqual({ outcome: 'not registered' })
  })

  test('follows redirects, but not forever', async () => {
    server.state.replies = { 'b.test': domainObject('a.test', '2027-03-01T00:00:00Z') }
    expect(await lookUp({ status: 302, headers: { location: '/v1/domain/b.test' } })).toMatchObject({
      outcome: 'found',
    })
    expect(await lookUp({ status: 301, headers: { location: '/v1/domain/a.test' } })).toMatchObject({
      outcome: 'failed',
      reason: { code: 'rdap_too_many_redirects' },
    })
  })

  test.each<[string, RdapReply, object]>([
    [
      'a limit',
      { status: 429, headers: { 'retry-after': '90' } },
      { reason: { code: 'rdap_rate_limited' }, retryAfterMs: 90_000 },
    ],
    [
      'a refusal',
      { status: 403 },
      { reason: { code: 'rdap_refused', params: { status: 403 } }, retryAfterMs: null },
    ],
    [
      'an error',
      { status: 503, headers: { 'retry-after': '5' } },
      { reason: { code: 'rdap_refused' }, retryAfterMs: 5_000 },
    ],
    [
      'a redirect elsewhere than to HTTP',
      { status: 302, headers: { location: 'file:///etc/passwd' } },
      { reason: { code: 'rdap_refused' } },
    ],
    ['a page', { body: '<html>' }, { reason: { code: 'rdap_answer_unreadable' } }],
    [
      'another domain',
      domainObject('b.test', '2027-03-01T00:00:00Z'),
      { reason: { code: 'rdap_answer_unreadable' } },
    ],
    ['an impossible date', domainObject('a.test', 'soon'), { reason: { code: 'rdap_answer_unreadable' } }],
    [
      'a date that no database stores',
      domainObject('a.test', '+010000-01-01T00:00:00Z'),
      { reason: { code: 'rdap_answer_unreadable' } },
    ],
    [
      'a date before all calendars',
      domainObject('a.test', '-000001-01-01T00:00:00Z'),
      { reason: { code: 'rdap_answer_unreadable' } },
    ],
    ['too much', { body: ' '.repeat(300_000) }, { reason: { code: 'service_answer_too_large' } }],
  ])('reports %s', async (_, reply, expected) => {
    expect(await lookUp(reply)).toMatchObject({ outcome: 'failed', ...expected })
  })

  test('connects to no private address that is not allowed', async () => {
    expect(await lookUp(domainObject('a.test'), { allowNetworks: [] })).toMatchObject({
      outcome: 'failed',
      reason: { code: 'service_unreachable', params: { reason: { code: 'address_private' } } },
    })
    expect(server.state.requests).toEqual([])
  })

  test('follows no redirect to a private address either', async () => {
    const url = 'http://127.0.0.2:1/domain/a.test'
    expect(
      await lookUp({ status: 302, headers: { location: url } }, { allowNetworks: ['127.0.0.1/32'] }),
    ).toMatchObject({ outcome: 'failed', reason: { code: 'service_unreachable' } })
  })

  test('stops when aborted', async () => {
    const reason = new Error('enough')
    await expect(open().lookUp('a.test', AbortSignal.abort(reason))).rejects.toBe(reason)
  })
})

describe('the bootstrap file', () => {
  test('names the server of the longest suffix, over HTTPS if it can', () => {
    const serverOf = createBootstrap({
      services: [
        [['example'], ['http://a.example/', 'https://b.example/rdap']],
        [['co.example'], ['https://c.example/']],
      ],
    })
    expect(serverOf('x.example')?.href).toBe('https://b.example/rdap/')
    expect(serverOf('x.co.example')?.href).toBe('https://c.example/')
    expect(serverOf('x.other')).toBeNull()
  })

  test('that is shipped knows common suffixes, and none of registries without RDAP', async () => {
    const serverOf = await readBootstrap(undefined)
    const hosts = ['com', 'net', 'org', 'info', 'fr', 'nl'].map((suffix) => serverOf(`a.${suffix}`)?.protocol)
    expect(new Set(hosts)).toEqual(new Set(['https:']))
    expect(['de', 'it', 'at', 'ch', 'eu'].map((suffix) => serverOf(`a.${suffix}`))).toEqual(
      Array(5).fill(null),
    )
  })

  test('that cannot be used is named', async () => {
    await expect(readBootstrap('/missing/dns.json')).rejects.toThrow(/^RDAP_BOOTSTRAP_FILE cannot be used/)
  })
})
