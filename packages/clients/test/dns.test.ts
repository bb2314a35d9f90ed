import { describe, expect, onTestFinished, test } from 'vitest'
import { openDns, type RecordType } from '../src/dns/dns.ts'
import { startDnsServer, type Zone } from './dns-server.ts'

const address = { A: ['192.0.2.1'] }

async function serve(zone: Zone) {
  const dns = await startDnsServer(zone)
  onTestFinished(() => dns.stop())
  return dns
}

/** A client with a short timeout and a name server for each zone. */
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
    const lookup = await lookUp('kunde.test')
    expect(lookup).toMatchObject({ outcome: 'found', mname: 'ns1.provider.test' })
    expect(lookup).toHaveProperty(
      'addresses',
      expect.arrayContaining(['192.0.2.1', '2001:db8::1', '198.51.100.7']),
    )
    expect(lookup).toHaveProperty('addresses.length', 4)
  })

  test('is found if only www has addresses', async () => {
    const { lookUp } = await open({ 'kunde.test': { SOA: 'ns.test' }, 'www.kunde.test': address })
    expect(await lookUp('kunde.test')).toEqual({
      outcome: 'found',
      mname: 'ns.test',
      addresses: ['192.0.2.1'],
      missing: null,
    })
  })

  test('is found if www does not respond, which is reported', async () => {
    const { lookUp } = await open({
      'kunde.test': { SOA: 'ns.test', ...address },
      'www.kunde.test': 'timeout',
    })
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
      [domain]: { SOA: 'ns.test', ...address },
      [name]: { SOA: 'ns.test', ...address },
    })
    expect(await lookUp(name)).toMatchObject({ outcome: 'found', mname: 'ns.test', addresses: ['192.0.2.1'] })
    expect(servers[0]?.state.queries).toContain(`SOA ${domain}`)
    expect(servers[0]?.state.queries.filter((query) => query.startsWith('SOA'))).toHaveLength(1)
  })

  test('is looked up in its ASCII form', async () => {
    const { lookUp } = await open({ 'xn--mller-kva.test': { SOA: 'ns.test', ...address } })
    expect(await lookUp('müller.test')).toMatchObject({ outcome: 'found' })
  })
})

describe('a single host name', () => {
  test('uses its own records, not those of its zone or www', async () => {
    const { resolve, servers } = await open({
      'kunde.test': { SOA: 'ns.test', A: ['192.0.2.1'], AAAA: ['2001:db8::1'] },
      'www.kunde.test': { A: ['198.51.100.7'] },
    })
    const lookup = await resolve('KUNDE.test')
    expect(lookup).toMatchObject({ outcome: 'found', mname: null })
    expect(lookup).toHaveProperty('addresses', ['192.0.2.1', '2001:db8::1'])
    expect(servers[0]?.state.queries.map((query) => query.toLowerCase()).sort()).toEqual([
      'a kunde.test',
      'aaaa kunde.test',
    ])
  })

  test.each([
    ['without any record', {}],
    ['without an address record', { 'kunde.test': { SOA: 'ns.test' } }],
  ])('%s does not exist', async (_, zone) => {
    const { resolve } = await open(zone)
    expect(await resolve('kunde.test')).toEqual({ outcome: 'nothing', mname: null })
  })

  test('is unknown if no server responds', async () => {
    const { resolve } = await open({ 'kunde.test': 'timeout' })
    expect(await resolve('kunde.test')).toMatchObject({ outcome: 'unknown' })
  })
})

describe('a missing domain', () => {
  test.each([
    ['if the domain is not registered', {}, null],
    ['if the name is missing from its zone', { 'kunde.test': { SOA: 'ns.test' } }, 'ns.test'],
    ['if the name has no address', { 'kunde.test': { SOA: 'ns.test' }, 'shop.kunde.test': {} }, 'ns.test'],
  ] as const)('does not exist %s', async (_, zone, mname) => {
    const { lookUp } = await open(zone)
    expect(await lookUp('shop.kunde.test')).toEqual({ outcome: 'nothing', mname })
  })

  test("does not exist if two name servers report that the domain's own servers fail", async () => {
    const zone = { 'kunde.test': 'SERVFAIL', 'www.kunde.test': 'SERVFAIL' } as const
    const { lookUp } = await open(zone, zone)
    expect(await lookUp('kunde.test')).toEqual({ outcome: 'nothing', mname: null })
  })
})

describe('a domain whose lookup fails', () => {
  const all = (failure: 'timeout' | 'REFUSED' | 'SERVFAIL'): Zone => ({
    'kunde.test': failure,
    'www.kunde.test': failure,
  })

  test.each([
    ['timeout', 'dns_timeout'],
    ['REFUSED', 'dns_refused'],
    ['SERVFAIL', 'dns_failure_unconfirmed'],
  ] as const)('is unknown if the only name server fails with %s', async (failure, code) => {
    const { lookUp } = await open(all(failure))
    expect(await lookUp('kunde.test')).toEqual({ outcome: 'unknown', reason: { code } })
  })

  test('is unknown if one server fails and the other does not respond', async () => {
    const { lookUp } = await open(all('SERVFAIL'), all('timeout'))
    expect(await lookUp('kunde.test')).toMatchObject({ outcome: 'unknown' })
  })

  test('is unknown if no server listens', async () => {
    const closed = await startDnsServer({})
    await closed.stop()
    const dns = openDns({ servers: [closed.server], timeoutMs: 60 })
    expect(await dns.lookUp('kunde.test')).toMatchObject({ outcome: 'unknown' })
    expect(await dns.addresses('kunde.test')).toBeNull()
  })

  test('is unknown if it exists but its addresses cannot be resolved', async () => {
    const { lookUp } = await open({ 'kunde.test': { SOA: 'ns.test', silent: ['A'] }, 'www.kunde.test': {} })
    expect(await lookUp('kunde.test')).toMatchObject({ outcome: 'unknown' })
  })

  test('is unknown if it has addresses but its SOA record cannot be resolved', async () => {
    const { lookUp } = await open({ 'kunde.test': { ...address, silent: ['SOA'] } })
    expect(await lookUp('kunde.test')).toMatchObject({ outcome: 'unknown' })
  })
})

test('queries the second name server if the first does not respond', async () => {
  const { lookUp } = await open(
    { 'kunde.test': 'timeout', 'www.kunde.test': 'REFUSED' },
    { 'kunde.test': { SOA: 'ns.test', ...address } },
  )
  expect(await lookUp('kunde.test')).toMatchObject({ outcome: 'found' })
})

test('queries a name server that was silent only after the others', async () => {
  const zone = { 'kunde.test': { SOA: 'ns.test', ...address } }
  const { lookUp, servers } = await open({ 'kunde.test': 'timeout' }, zone)
  await lookUp('kunde.test')
  const queryCount = servers[0]?.state.queries.length
  expect(await lookUp('kunde.test')).toMatchObject({ outcome: 'found' })
  expect(servers[0]?.state.queries).toHaveLength(queryCount ?? 0)
})

test('finds IPv4 addresses if the server does not respond for IPv6', async () => {
  const { lookUp } = await open({ 'kunde.test': { SOA: 'ns.test', ...address, silent: ['AAAA'] } })
  expect(await lookUp('kunde.test')).toMatchObject({ outcome: 'found', addresses: ['192.0.2.1'] })
})

test('does not cache lookups', async () => {
  const { lookUp, servers } = await open({ 'kunde.test': { SOA: 'ns.test', ...address, ttl: 3600 } })
  expect(await lookUp('kunde.test')).toMatchObject({ outcome: 'found' })
  for (const { state } of servers) state.zone = {}
  expect(await lookUp('kunde.test')).toMatchObject({ outcome: 'nothing' })
})

test('stops waiting when aborted', async () => {
  const { lookUp } = await open({ 'kunde.test': 'timeout' })
  const reason = new Error('enough')
  const stopping = new AbortController()
  setTimeout(() => stopping.abort(reason), 10)
  await expect(lookUp('kunde.test', stopping.signal)).rejects.toBe(reason)
  await expect(lookUp('kunde.test', stopping.signal)).rejects.toBe(reason)
})

test('returns the addresses of both families, or none', async () => {
  const { addresses } = await open({ 'node.test': { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] } })
  expect(await addresses('node.test')).toEqual(['192.0.2.1', '2001:db8::1'])
  expect(await addresses('missing.test')).toEqual([])
})

test('reads records of each type as comparable texts', async () => {
  const long = 'x'.repeat(300)
  const dns = await open({
    'a.test': {
      A: ['192.0.2.2', '192.0.2.1', '192.0.2.2'],
      AAAA: ['2001:db8::1'],
      MX: ['20 B.test.', '10 a.test'],
      NS: ['NS2.test', 'ns1.test'],
      TXT: ['v=spf1 -all', long],
    },
    'null.test': { MX: ['0 .'] },
    'www.a.test': { CNAME: 'A.test' },
    '_dmarc.a.test': { TXT: ['v=DMARC1; p=none'] },
  })
  const read = async (name: string, type: RecordType) => {
    const answer = await dns.records(name, type)
    return answer.outcome === 'answered' ? answer.records : answer.reason.code
  }
  expect(await read('a.test', 'A')).toEqual(['192.0.2.1', '192.0.2.2'])
  expect(await read('a.test', 'AAAA')).toEqual(['2001:db8::1'])
  expect(await read('a.test', 'MX')).toEqual(['10 a.test', '20 b.test'])
  expect(await read('null.test', 'MX')).toEqual(['0 .'])
  expect(await read('a.test', 'NS')).toEqual(['ns1.test', 'ns2.test'])
  expect(await read('a.test', 'TXT')).toEqual(['v=spf1 -all', long])
  expect(await read('www.a.test', 'CNAME')).toEqual(['a.test'])
  expect(await read('_dmarc.a.test', 'TXT')).toEqual(['v=DMARC1; p=none'])
  expect(await read('a.test', 'CNAME')).toEqual([])
  expect(await read('missing.test', 'A')).toEqual([])
})

test('says why records are unknown, and asks the server that was chosen first', async () => {
  const dns = await open({ 'a.test': { A: ['192.0.2.1'] } }, { 'a.test': { A: ['192.0.2.9'] } })
  expect(await dns.records('a.test', 'A', { server: 1 })).toMatchObject({ records: ['192.0.2.9'] })
  expect(await dns.records('a.test', 'A', { server: 2 })).toMatchObject({ records: ['192.0.2.1'] })
  for (const { state } of dns.servers) state.zone = { 'a.test': 'SERVFAIL' }
  expect(await dns.records('a.test', 'A')).toEqual({
    outcome: 'unknown',
    reason: { code: 'dns_failed', params: { detail: 'SERVFAIL' } },
  })
  for (const { state } of dns.servers) state.zone = { 'a.test': 'REFUSED' }
  expect(await dns.records('a.test', 'A')).toMatchObject({ reason: { code: 'dns_refused' } })
})
