import { networkInterfaces } from 'node:os'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { permission } from '../src/probe/addresses.ts'
import { openProber, type Prober, type ProberSettings } from '../src/probe/index.ts'
import { makeAuthority } from './probe-certificates.ts'
import { startDnsServer } from './probe-dns.ts'
import { closedPort, type Site, startSite } from './probe-sites.ts'

let cert: string
/** Listens on every address of this machine. */
let site: Site
let dns: Awaited<ReturnType<typeof startDnsServer>>
const probers: Prober[] = []

beforeAll(async () => {
  const authority = await makeAuthority('O=Tyrol Trust, CN=Tyrol Trust R1')
  cert = authority.cert
  const credentials = await authority.issue({ names: ['web.test', 'other.test'] })
  const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
    all?.some(({ family }) => family === 'IPv6'),
  )
  site = await startSite({ credentials, host: hasIpv6 ? '::' : '0.0.0.0' })
})
afterAll(() => site.stop())
beforeEach(async () => {
  dns = await startDnsServer({})
})
afterEach(async () => {
  await Promise.all(probers.splice(0).map((prober) => prober.close()))
  await dns.stop()
})

function open(settings: ProberSettings = {}): Prober {
  const prober = openProber({
    authorities: [cert],
    dnsServers: [dns.server],
    ports: { secure: site.port, plain: site.port },
    deadline: 3_000,
    ...settings,
  })
  probers.push(prober)
  return prober
}

/** The addresses of this machine that connections came to meanwhile, in IPv4's form. */
async function reached(work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = site.connections.length
  await work()
  return site.connections.slice(before).map(({ to }) => to.replace(/^::ffff:/, ''))
}

describe('a private address', () => {
  const forms = [
    '127.0.0.1',
    '127.1',
    '127.0.0.1.',
    '2130706433',
    '0x7f000001',
    '0x7F.1',
    '0177.0.0.1',
    '017700000001',
    '0',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::80ff:fffe]',
    ...Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .flatMap(({ family, address }) =>
        family === 'IPv4' && /^(10|172|192)\./.test(address) ? [address] : [],
      ),
  ]

  test.each(forms)('written as %s is not connected to', async (host) => {
    const prober = open()
    const to = await reached(async () => {
      expect(await prober.probe(host)).toMatchObject({ status: null, reason: 'its address is private' })
    })
    expect(to).toEqual([])
  })

  const special = {
    A: [
      '10.1.2.3',
      '100.64.0.1',
      '100.100.100.200',
      '127.0.0.1',
      '127.255.255.254',
      '168.63.129.16',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
      '192.0.0.192',
      '192.0.2.1',
      '192.88.99.1',
      '192.168.1.1',
      '198.18.0.1',
      '198.19.255.255',
      '198.51.100.1',
      '203.0.113.1',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
      '0.1.2.3',
    ],
    AAAA: [
      '::',
      '::1',
      '::ffff:10.0.0.1',
      '::10.0.0.1',
      '64:ff9b::a00:1',
      '64:ff9b::a9fe:a9fe',
      '100::1',
      '2001::1',
      '2001:db8::1',
      '2002:a00:1::1',
      '3fff::1',
      '5f00::1',
      'fc00::1',
      'fd00:ec2::254',
      'fe80::1',
      'fec0::1',
      'ff02::1',
    ],
  }

  test.each(Object.entries(special).flatMap(([type, all]) => all.map((address) => [type, address] as const)))(
    'in a record of type %s, %s, is not connected to',
    async (type, address) => {
      dns.state.zone = { 'web.test': { [type]: [address] } }
      const prober = open()
      const to = await reached(async () => {
        expect(await prober.probe('web.test')).toMatchObject({
          status: null,
          reason: 'its address is private',
        })
      })
      expect(to).toEqual([])
    },
  )

  test.each([
    '',
    'a b',
    'web.test/',
    'web.test:8443',
    'user@web.test',
    'web.test#',
    '[::1',
    '1.2.3.4.5',
    '999.1.1.1',
  ])('cannot hide in "%s", which is no host', async (host) => {
    const prober = open()
    expect(await reached(() => prober.probe(host))).toEqual([])
    expect(await prober.probe(host)).toMatchObject({ status: null, reason: 'its name is not a host name' })
    expect(dns.state.asked).toEqual([])
  })
})

test.each([
  ['1.1.1.1', true],
  ['172.15.255.255', true],
  ['172.32.0.0', true],
  ['100.128.0.0', true],
  ['198.20.0.0', true],
  ['223.255.255.255', true],
  ['2606:4700::1111', true],
  ['2a01:4f8::1', true],
  // NAT64, the way of machines without IPv4 to those without IPv6.
  ['64:ff9b::101:101', true],
  ['64:ff9b::', false],
  ['64:ff9b::c0a8:1', false],
  ['10.1.2.3', true],
  ['64:ff9b::a01:203', true],
  ['10.2.0.0', false],
  ['fd12::1', true],
  ['fd13::1', false],
  ['web.test', false],
])('%s may be connected to: %s', (address, allowed) => {
  expect(permission(['10.1.0.0/16', 'fd12::/32'])(address)).toBe(allowed)
})

describe('names', () => {
  test('with allowed addresses among others are reached at the allowed ones alone', async () => {
    dns.state.zone = { 'web.test': { A: ['10.0.0.1', '127.0.0.1', '127.0.0.3', '169.254.169.254'] } }
    const prober = open({ allowNetworks: ['127.0.0.3/32'] })
    const to = await reached(async () => {
      expect(await prober.probe('web.test')).toMatchObject({ status: 200, reason: null })
    })
    expect(to).toEqual(['127.0.0.3'])
  })

  test('that change their answer are checked by the address that is connected to', async () => {
    const prober = open({ allowNetworks: ['127.0.0.3/32'] })
    const to = await reached(async () => {
      for (const address of ['127.0.0.3', '127.0.0.1', '127.0.0.3', '10.0.0.1']) {
        dns.state.zone = { 'web.test': { A: [address], ttl: 0 } }
        const seen = await prober.probe('web.test')
        expect(seen.status).toBe(address === '127.0.0.3' ? 200 : null)
      }
    })
    expect(to).toEqual(['127.0.0.3', '127.0.0.3'])
    // One question a probe: there is no second answer that could differ from the one that was checked.
    expect(dns.state.asked.filter((question) => question === 'A web.test')).toHaveLength(4)
  })

  test('are reached at their next address where the first refuses', async () => {
    const one = await startSite({ host: '127.0.0.4' })
    try {
      dns.state.zone = { 'web.test': { A: ['127.0.0.3', '127.0.0.4'] } }
      const ports = { secure: await closedPort(), plain: one.port }
      const seen = await open({ allowNetworks: ['127.0.0.0/8'], ports }).probe('web.test')
      expect(seen).toMatchObject({ status: 200, reason: null })
      expect(one.connections).toHaveLength(1)
    } finally {
      await one.stop()
    }
  })

  test.each([
    ['fails at', { broken: ['AAAA'] }],
    ['is silent on', { silent: ['AAAA'] }],
  ])('are asked for over HTTP where TLS is refused, though their name server %s IPv6', async (_, how) => {
    const plain = await startSite({ host: '127.0.0.4' })
    try {
      dns.state.zone = { 'web.test': { A: ['127.0.0.4'], ...how } }
      const ports = { secure: await closedPort(), plain: plain.port }
      const prober = open({ allowNetworks: ['127.0.0.0/8'], ports, deadline: 4_000 })
      expect(await prober.probe('web.test')).toMatchObject({ status: 200, reason: null })
    } finally {
      await plain.stop()
    }
  })

  test('are asked for IPv6 where they have no IPv4', async () => {
    dns.state.zone = { 'web.test': { AAAA: ['::1'] } }
    const seen = await open({ allowNetworks: ['::1/128'], ports: { secure: 1, plain: 1 } }).probe('web.test')
    expect(seen.reason).toMatch(/^(the connection was refused|its address cannot be reached)$/)
    expect(dns.state.asked.slice(0, 2)).toEqual(['A web.test', 'AAAA web.test'])
  })

  test.each([
    ['does not exist', undefined, 'its name does not resolve'],
    ['has no address', {}, 'its name has no address'],
    ['has a broken server', 'SERVFAIL' as const, 'its name does not resolve: the name server failed'],
    ['is refused', 'REFUSED' as const, 'its name does not resolve: the name server refused the question'],
  ])('that one %s is why', async (_, found, reason) => {
    dns.state.zone = found === undefined ? {} : { 'web.test': found }
    expect(await open().probe('web.test')).toMatchObject({ status: null, reason, certificate: null })
  })

  test('that nobody answers for end well within the deadline, and hold up no other', async () => {
    dns.state.zone = { 'dead.test': 'silence', 'web.test': { A: ['127.0.0.3'] } }
    const prober = open({ allowNetworks: ['127.0.0.0/8'], deadline: 1_000 })
    const dead = Promise.all(Array.from({ length: 30 }, () => prober.probe('dead.test')))
    const seen = await prober.probe('web.test')
    expect(seen).toMatchObject({ status: 200 })
    expect(seen.milliseconds).toBeLessThan(500)
    for (const { reason } of await dead)
      expect(reason).toMatch(/no name server answered$|^its name servers did not answer within 1 s$/)
  })

  test('where no name server listens are why', async () => {
    const prober = open({ dnsServers: [`127.0.0.1:${await closedPort()}`], deadline: 1_000 })
    const { status, reason } = await prober.probe('web.test')
    expect(status).toBeNull()
    expect(reason).toMatch(/^its name does not resolve: no name server|^its name servers did not answer/)
  })

  describe('are kept', () => {
    const asked = () => dns.state.asked.filter((question) => question === 'A web.test').length

    test.each([
      [60, 59, 61],
      [86_400, 299, 301],
    ])('of a TTL of %d s for %d s, and not for %d s', async (ttl, before, after) => {
      let now = Date.now()
      dns.state.zone = { 'web.test': { A: ['127.0.0.3'], ttl } }
      const prober = open({ allowNetworks: ['127.0.0.0/8'], now: () => now })
      await prober.probe('web.test')
      now += before * 1000
      await prober.probe('web.test')
      expect(asked()).toBe(1)
      now += (after - before) * 1000
      await prober.probe('web.test')
      expect(asked()).toBe(2)
    })

    test('not after a failure: the web may have moved', async () => {
      dns.state.zone = { 'web.test': { A: ['127.0.0.3'], ttl: 3600 } }
      const prober = open({ allowNetworks: ['127.0.0.0/8'], ports: { secure: await closedPort(), plain: 1 } })
      expect(await prober.probe('web.test')).toMatchObject({ reason: 'the connection was refused' })
      const before = asked()
      await prober.probe('web.test')
      expect(asked()).toBeGreaterThan(before)
    })

    test('not where they did not resolve', async () => {
      const prober = open({ allowNetworks: ['127.0.0.0/8'] })
      expect(await prober.probe('web.test')).toMatchObject({ reason: 'its name does not resolve' })
      dns.state.zone = { 'web.test': { A: ['127.0.0.3'] } }
      expect(await prober.probe('web.test')).toMatchObject({ status: 200 })
    })
  })
})

describe('CONNECT_TO', () => {
  test('leads to a private address, which is then no matter', async () => {
    const prober = open({ connectTo: `web.test:${site.port}:127.0.0.1:` })
    const to = await reached(async () => {
      expect(await prober.probe('web.test')).toMatchObject({ status: 200 })
    })
    expect(to).toEqual(['127.0.0.1'])
    expect(dns.state.asked).toEqual([])
  })

  test('with a name resolves that one, and asks for the first', async () => {
    dns.state.zone = { 'node.test': { A: ['127.0.0.3'] } }
    const prober = open({ connectTo: `web.test::node.test:${site.port}` })
    const to = await reached(async () => {
      expect(await prober.probe('web.test')).toMatchObject({ status: 200 })
    })
    expect(to).toEqual(['127.0.0.3'])
    expect(site.visits.at(-1)?.servername).toBe('web.test')
  })

  test('without a host keeps it, without a port keeps that; the first entry that matches counts', async () => {
    dns.state.zone = { 'web.test': { A: ['127.0.0.3'] }, 'other.test': { A: ['127.0.0.4'] } }
    const ports = { secure: 443, plain: 80 }
    const prober = open({
      connectTo: `web.test:443::${site.port},:443:127.0.0.5:${site.port},::127.0.0.6:`,
      ports,
    })
    const to = await reached(async () => {
      expect(await prober.probe('web.test')).toMatchObject({ status: 200 })
      expect(await prober.probe('other.test')).toMatchObject({ status: 200 })
    })
    expect(to).toEqual(['127.0.0.3', '127.0.0.5'])
  })

  test('takes IPv6 in brackets', async () => {
    const closed = await closedPort()
    const seen = await open({ connectTo: `::[::1]:${closed}` }).probe('web.test')
    expect(seen.reason).toMatch(/^(the connection was refused|its address cannot be reached)$/)
    expect(dns.state.asked).toEqual([])
  })

  test('leaves what it does not name to the check', async () => {
    dns.state.zone = { 'other.test': { A: ['127.0.0.1'] } }
    const prober = open({ connectTo: `web.test::127.0.0.1:${site.port}` })
    const to = await reached(async () => {
      expect(await prober.probe('other.test')).toMatchObject({ reason: 'its address is private' })
    })
    expect(to).toEqual([])
  })
})

test('a network that is none, or a name server that is none, does not open', () => {
  expect(() => openProber({ allowNetworks: ['10.0.0.0/33'] })).toThrow()
  expect(() => openProber({ dnsServers: ['not-an-address'] })).toThrow()
})
