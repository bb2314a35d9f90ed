import { describe, expect, onTestFinished, test } from 'vitest'
import { openDns } from '../src/dns/index.ts'
import { startDnsServer, type Zone } from './dns-server.ts'

const here = { A: ['192.0.2.1'] }

async function serve(zone: Zone) {
  const dns = await startDnsServer(zone)
  onTestFinished(() => dns.stop())
  return dns
}

/** A client that soon gives up, of name servers with these zones. */
async function open(...zones: readonly Zone[]) {
  const servers = await Promise.all(zones.map(serve))
  const dns = openDns({ servers: servers.map(({ server }) => server), timeoutMs: 60 })
  onTestFinished(() => dns.close())
  return { ...dns, servers }
}

describe('a domain', () => {
  test('is found with its primary name server and its addresses, including www', async () => {
    const { lookUp } = await open({
      'kunde.test': { SOA: 'NS1.Provider.test', A: ['192.0.2.1', '192.0.2.2'], AAAA: ['2001:db8::1'] },
      'www.kunde.test': { A: ['192.0.2.2', '198.51.100.7'] },
    })
    const looked = await lookUp('kunde.test')
    expect(looked).toMatchObject({ outcome: 'found', mname: 'ns1.provider.test' })
    expect(looked).toHaveProperty(
      'addresses',
      expect.arrayContaining(['192.0.2.1', '2001:db8::1', '198.51.100.7']),
    )
    expect(looked).toHaveProperty('addresses.length', 4)
  })

  test('may have addresses for www only', async () => {
    const { lookUp } = await open({ 'kunde.test': { SOA: 'ns.test' }, 'www.kunde.test': here })
    expect(await lookUp('kunde.test')).toEqual({
      outcome: 'found',
      mname: 'ns.test',
      addresses: ['192.0.2.1'],
      missing: null,
    })
  })

  test('is found without an answer for www, which is reported as missing', async () => {
    const { lookUp } = await open({ 'kunde.test': { SOA: 'ns.test', ...here }, 'www.kunde.test': 'silence' })
    expect(await lookUp('kunde.test')).toEqual({
      outcome: 'found',
      mname: 'ns.test',
      addresses: ['192.0.2.1'],
      missing: { code: 'dns_timeout' },
    })
  })

  test.each([
    ['shop.kunde.test', 'kunde.test'],
    ['a.b.kunde.co.uk', 'kunde.co.uk'],
    ['xn--hfe-sdtirol-4ibb.bz.it', 'xn--hfe-sdtirol-4ibb.bz.it'],
    ['kunde.github.io', 'github.io'],
  ])('%s is in the zone %s, whose name server counts', async (name, domain) => {
    const { lookUp, servers } = await open({
      [domain]: { SOA: 'ns.test', ...here },
      [name]: { SOA: 'ns.test', ...here },
    })
    expect(await lookUp(name)).toMatchObject({ outcome: 'found', mname: 'ns.test', addresses: ['192.0.2.1'] })
    expect(servers[0]?.state.asked).toContain(`SOA ${domain}`)
    expect(servers[0]?.state.asked.filter((asked) => asked.startsWith('SOA'))).toHaveLength(1)
  })

  test('is looked up in its ASCII form', async () => {
    const { lookUp } = await open({ 'xn--mller-kva.test': { SOA: 'ns.test', ...here } })
    expect(await lookUp('müller.test')).toMatchObject({ outcome: 'found' })
  })
})

describe('a single host name', () => {
  test('uses its own records, not those of its zone or www', async () => {
    const { resolve, servers } = await open({
      'kunde.test': { SOA: 'ns.test', A: ['192.0.2.1'], AAAA: ['2001:db8::1'] },
      'www.kunde.test': { A: ['198.51.100.7'] },
    })
    const looked = await resolve('KUNDE.test')
    expect(looked).toMatchObject({ outcome: 'found', mname: null })
    expect(looked).toHaveProperty('addresses', ['192.0.2.1', '2001:db8::1'])
    expect(servers[0]?.state.asked.map((asked) => asked.toLowerCase()).sort()).toEqual([
      'a kunde.test',
      'aaaa kunde.test',
    ])
  })

  test.each([
    ['that is not there', {}],
    ['without an address', { 'kunde.test': { SOA: 'ns.test' } }],
  ])('%s does not exist', async (_, zone) => {
    const { resolve } = await open(zone)
    expect(await resolve('kunde.test')).toEqual({ outcome: 'nothing', mname: null })
  })

  test('without an answering server is unknown', async () => {
    const { resolve } = await open({ 'kunde.test': 'silence' })
    expect(await resolve('kunde.test')).toMatchObject({ outcome: 'unknown' })
  })
})

describe('a domain does not exist', () => {
  test.each([
    ['where the domain does not exist', {}, null],
    ['where the name does not exist in its domain', { 'kunde.test': { SOA: 'ns.test' } }, 'ns.test'],
    ['where the name has no address', { 'kunde.test': { SOA: 'ns.test' }, 'shop.kunde.test': {} }, 'ns.test'],
  ] as const)('%s', async (_, zone, mname) => {
    const { lookUp } = await open(zone)
    expect(await lookUp('shop.kunde.test')).toEqual({ outcome: 'nothing', mname })
  })

  test("if two name servers say that the domain's own fail", async () => {
    const zone = { 'kunde.test': 'SERVFAIL', 'www.kunde.test': 'SERVFAIL' } as const
    const { lookUp } = await open(zone, zone)
    expect(await lookUp('kunde.test')).toEqual({ outcome: 'nothing', mname: null })
  })
})

describe('a domain is unknown', () => {
  const all = (said: 'silence' | 'REFUSED' | 'SERVFAIL'): Zone => ({
    'kunde.test': said,
    'www.kunde.test': said,
  })

  test.each([
    ['silence', 'dns_timeout'],
    ['REFUSED', 'dns_refused'],
    ['SERVFAIL', 'dns_failure_unconfirmed'],
  ] as const)('if the only name server says %s', async (said, code) => {
    const { lookUp } = await open(all(said))
    expect(await lookUp('kunde.test')).toEqual({ outcome: 'unknown', reason: { code } })
  })

  test('if one fails and the other does not answer', async () => {
    const { lookUp } = await open(all('SERVFAIL'), all('silence'))
    expect(await lookUp('kunde.test')).toMatchObject({ outcome: 'unknown' })
  })

  test('if nothing listens', async () => {
    const gone = await startDnsServer({})
    await gone.stop()
    const dns = openDns({ servers: [gone.server], timeoutMs: 60 })
    expect(await dns.lookUp('kunde.test')).toMatchObject({ outcome: 'unknown' })
    expect(await dns.addresses('kunde.test')).toBeNull()
  })

  test('if it exists and its addresses cannot be resolved', async () => {
    const { lookUp } = await open({ 'kunde.test': { SOA: 'ns.test', silent: ['A'] }, 'www.kunde.test': {} })
    expect(await lookUp('kunde.test')).toMatchObject({ outcome: 'unknown' })
  })

  test('if it has addresses and its SOA record cannot be resolved', async () => {
    const { lookUp } = await open({ 'kunde.test': { ...here, silent: ['SOA'] } })
    expect(await lookUp('kunde.test')).toMatchObject({ outcome: 'unknown' })
  })
})

test('asks a second name server if the first does not answer', async () => {
  const { lookUp } = await open(
    { 'kunde.test': 'silence', 'www.kunde.test': 'REFUSED' },
    { 'kunde.test': { SOA: 'ns.test', ...here } },
  )
  expect(await lookUp('kunde.test')).toMatchObject({ outcome: 'found' })
})

test('finds IPv4 addresses if the server does not answer for IPv6', async () => {
  const { lookUp } = await open({ 'kunde.test': { SOA: 'ns.test', ...here, silent: ['AAAA'] } })
  expect(await lookUp('kunde.test')).toMatchObject({ outcome: 'found', addresses: ['192.0.2.1'] })
})

test('sees changes with the next lookup', async () => {
  const { lookUp, servers } = await open({ 'kunde.test': { SOA: 'ns.test', ...here, ttl: 3600 } })
  expect(await lookUp('kunde.test')).toMatchObject({ outcome: 'found' })
  for (const { state } of servers) state.zone = {}
  expect(await lookUp('kunde.test')).toMatchObject({ outcome: 'nothing' })
})

test('stops waiting when aborted', async () => {
  const { lookUp } = await open({ 'kunde.test': 'silence' })
  const reason = new Error('enough')
  const stopping = new AbortController()
  setTimeout(() => stopping.abort(reason), 10)
  await expect(lookUp('kunde.test', stopping.signal)).rejects.toBe(reason)
  await expect(lookUp('kunde.test', stopping.signal)).rejects.toBe(reason)
})

test('returns addresses of both families, none if there are none', async () => {
  const { addresses } = await open({ 'node.test': { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] } })
  expect(await addresses('node.test')).toEqual(['192.0.2.1', '2001:db8::1'])
  expect(await addresses('gone.test')).toEqual([])
})
