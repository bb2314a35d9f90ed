import { once } from 'node:events'
import net from 'node:net'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openProber, type Prober, type ProberSettings } from '../src/probe/prober.ts'
import { createTlsSessions } from '../src/probe/tls-sessions.ts'
import { type Authority, type Credentials, day, makeAuthority, selfSigned } from './probe-certificates.ts'
import { page, respondWith, type Site, startSite } from './probe-sites.ts'

let authority: Authority
const sites: Site[] = []
const probers: Prober[] = []
const hour = 3600 * 1000

beforeAll(async () => {
  authority = await makeAuthority('O=Tyrol Trust, CN=Tyrol Trust R1')
})
afterEach(async () => {
  await Promise.all(probers.splice(0).map((prober) => prober.close()))
  await Promise.all(sites.splice(0).map((site) => site.stop()))
})

async function start(credentials: Credentials, options = {}): Promise<Site> {
  const site = await startSite({ credentials, options })
  sites.push(site)
  return site
}

const open = ({ port }: Site, settings?: ProberSettings) => openForPort(port, settings)

function openForPort(port: number, settings: ProberSettings = {}): Prober {
  const prober = openProber({
    connectTo: `::127.0.0.1:${port}`,
    authorities: [authority.cert],
    deadlineMs: 5_000,
    ...settings,
  })
  probers.push(prober)
  return prober
}

describe('a certificate', () => {
  test('is returned with its issuer and expiry', async () => {
    const site = await start(await authority.issue({ names: ['web.test'], untilMs: 30 * day }))
    const { certificate } = await open(site).probe('web.test')
    expect(certificate?.authority).toBe('Tyrol Trust')
    expect(certificate?.fingerprint).toMatch(/^([\dA-F]{2}:){31}[\dA-F]{2}$/)
    expect(Math.round((certificate?.from.getTime() ?? 0) - Date.now()) / day).toBeCloseTo(-1, 1)
    const left = (certificate?.expiration.getTime() ?? 0) - Date.now()
    expect(left).toBeGreaterThan(29.9 * day)
    expect(left).toBeLessThan(30.1 * day)
  })

  test("is returned with its issuer's common name if there is no organisation", async () => {
    const nameless = await makeAuthority('CN=R11')
    const site = await start(await nameless.issue({ names: ['web.test'] }))
    const { certificate } = await open(site, { authorities: [nameless.cert] }).probe('web.test')
    expect(certificate?.authority).toBe('R11')
  })

  test.each([
    [
      'has expired',
      { names: ['web.test'], fromMs: -20 * day, untilMs: -day },
      { code: 'certificate_expired' },
    ],
    [
      'is not valid yet',
      { names: ['web.test'], fromMs: day, untilMs: 2 * day },
      { code: 'certificate_not_yet_valid' },
    ],
    ['is for another name', { names: ['other.test'] }, { code: 'certificate_wrong_name' }],
    ['is for names below it', { names: ['*.web.test'] }, { code: 'certificate_wrong_name' }],
  ])('that %s is reported as the reason', async (_, options, reason) => {
    const site = await start(await authority.issue(options))
    const result = await open(site).probe('web.test')
    expect(result).toMatchObject({ status: null, reason, certificate: null })
    // Nothing is requested from a host that did not prove its name.
    expect(site.visits.filter(({ request }) => request !== null)).toEqual([])
  })

  test('of an unknown authority is reported as the reason', async () => {
    const site = await start(await authority.issue({ names: ['web.test'] }))
    const result = await open(site, { authorities: [] }).probe('web.test')
    expect(result.status).toBeNull()
    expect(result.reason?.code).toMatch(/^certificate_(authority_unknown|chain_incomplete)$/)
  })

  test('that is self-signed is reported as the reason', async () => {
    const site = await start(await selfSigned({ names: ['web.test'] }))
    const result = await open(site).probe('web.test')
    expect(result).toMatchObject({ status: null, reason: { code: 'certificate_self_signed' } })
  })

  test('for a name with an umlaut or a wildcard is valid', async () => {
    const site = await start(await authority.issue({ names: ['*.webs.test', 'xn--bcher-kva.example'] }))
    const prober = open(site)
    expect(await prober.probe('xn--bcher-kva.example')).toMatchObject({ status: 200 })
    expect(await prober.probe('Web.Webs.TEST.')).toMatchObject({ status: 200 })
    expect(site.visits.map(({ servername }) => servername)).toEqual([
      'xn--bcher-kva.example',
      'web.webs.test',
    ])
  })
})

describe('a handshake', () => {
  test('that fails because of another protocol is reported as the reason', async () => {
    const server = net.createServer((socket) =>
      socket.on('error', () => undefined).end('220 mail.test ESMTP\r\n'),
    )
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as net.AddressInfo
    try {
      const result = await openForPort(port).probe('web.test')
      expect(result).toMatchObject({ status: null, reason: { code: 'tls_missing' } })
    } finally {
      server.close()
    }
  })

  test('that fails without a common version is reported as the reason', async () => {
    const site = await start(await authority.issue({ names: ['web.test'] }), {
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    })
    const result = await open(site).probe('web.test')
    expect(result.status).toBeNull()
    expect(result.reason?.code).toMatch(/^handshake_(failed|closed)$/)
  })

  test.each([
    ['without X25519', { ecdhCurve: 'P-384' }],
    ['in TLS 1.2', { maxVersion: 'TLSv1.2' }],
  ])('%s succeeds and is resumed by the next one', async (_, options) => {
    const site = await start(await authority.issue({ names: ['web.test'] }), options)
    const prober = open(site)
    expect(await prober.probe('web.test')).toMatchObject({
      status: 200,
      certificate: { authority: 'Tyrol Trust' },
    })
    expect(await prober.probe('web.test')).toMatchObject({ status: 200, certificate: null })
    expect(site.visits.map(({ resumed }) => resumed)).toEqual([false, true])
  })
})

describe('a session', () => {
  test('is not resumed by a prober that has to check every certificate', async () => {
    const site = await start(await authority.issue({ names: ['web.test'] }))
    const prober = open(site, { resumes: false })
    for (let probes = 0; probes < 3; probes++)
      expect((await prober.probe('web.test')).certificate?.authority).toBe('Tyrol Trust')
    expect(site.visits.map(({ resumed }) => resumed)).toEqual([false, false, false])
  })

  test('is resumed by later probes of the same host only', async () => {
    const site = await start(await authority.issue({ names: ['*.webs.test'] }))
    const prober = open(site)
    const result = []
    for (const host of ['a.webs.test', 'a.webs.test', 'b.webs.test', 'a.webs.test', 'b.webs.test'])
      result.push(await prober.probe(host))
    expect(result.map(({ certificate }) => certificate?.authority ?? null)).toEqual([
      'Tyrol Trust',
      null,
      'Tyrol Trust',
      null,
      null,
    ])
    expect(site.visits.map(({ resumed }) => resumed)).toEqual([false, true, false, true, true])
  })

  test('ends within twenty minutes, so that a replaced certificate is noticed', async () => {
    let now = Date.now()
    const site = await start(await authority.issue({ names: ['web.test'], untilMs: 10 * day }))
    const prober = open(site, { now: () => now })
    const first = await prober.probe('web.test')
    site.renew(await authority.issue({ names: ['web.test'], untilMs: 50 * day }))
    const later = []
    for (let minute = 1; minute <= 20; minute++) {
      now += 60_000
      later.push(await prober.probe('web.test'))
    }
    const renewed = later.flatMap(({ certificate }) => certificate ?? [])
    expect(renewed.length).toBeGreaterThanOrEqual(1)
    expect(renewed.length).toBeLessThanOrEqual(2)
    const longer = (renewed[0]?.expiration.getTime() ?? 0) - (first.certificate?.expiration.getTime() ?? 0)
    expect(longer).toBeGreaterThan(39 * day)
  })

  test('ends at different times for different hosts', async () => {
    let now = Date.now()
    const site = await start(await authority.issue({ names: ['*.webs.test'] }))
    const prober = open(site, { now: () => now })
    const hosts = Array.from({ length: 40 }, (_, index) => `web${index}.webs.test`)
    const full = []
    for (let minutes = 0; minutes <= 20; minutes += 2) {
      const result = await Promise.all(hosts.map((host) => prober.probe(host)))
      full.push(result.filter(({ certificate }) => certificate !== null).length)
      now += 2 * 60_000
    }
    const [first, ...later] = full
    expect(first).toBe(40)
    expect(later.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(40)
    expect(Math.max(...later)).toBeLessThan(30)
  })

  test('ends with its certificate', async () => {
    let now = Date.now()
    const site = await start(await authority.issue({ names: ['web.test'], untilMs: 60_000 }))
    const prober = open(site, { now: () => now })
    await prober.probe('web.test')
    now += 61_000
    expect(await prober.probe('web.test')).toMatchObject({ certificate: { authority: 'Tyrol Trust' } })
    expect(site.visits.map(({ resumed }) => resumed)).toEqual([false, false])
  })

  test('ends with a failure', async () => {
    const site = await start(await authority.issue({ names: ['web.test'] }))
    const prober = open(site)
    await prober.probe('web.test')
    site.behave(respondWith('nonsense'))
    expect(await prober.probe('web.test')).toMatchObject({ status: null })
    site.behave(page('200 OK'))
    expect((await prober.probe('web.test')).certificate).not.toBeNull()
    expect(site.visits.map(({ resumed }) => resumed)).toEqual([false, true, false])
  })

  test('does not start with an invalid certificate', async () => {
    const site = await start(await authority.issue({ names: ['other.test'] }), { maxVersion: 'TLSv1.2' })
    const prober = open(site)
    for (let probe = 0; probe < 3; probe++)
      expect(await prober.probe('web.test')).toMatchObject({ reason: { code: 'certificate_wrong_name' } })
  })

  test('is evicted if there are too many', () => {
    const sessions = createTlsSessions({ now: () => 0, maxHosts: 3 })
    const expiration = new Date(24 * hour)
    for (const host of ['a', 'b', 'c']) sessions.keep(host, Buffer.from(host), expiration)
    sessions.keep('a', Buffer.from('newer'), null)
    sessions.keep('d', Buffer.from('d'), expiration)
    expect(['a', 'b', 'c', 'd'].map((host) => sessions.of(host)?.toString())).toEqual([
      'newer',
      undefined,
      'c',
      'd',
    ])
  })
})
