import { describe, expect, onTestFinished, test } from 'vitest'
import { openDns } from '../src/dns/index.ts'
import { startDnsServer, type Zone } from './probe-dns.ts'

const here = { A: ['192.0.2.1'] }

async function serve(zone: Zone) {
  const dns = await startDnsServer(zone)
  onTestFinished(() => dns.stop())
  return dns
}

/** A client that soon gives up, of name servers with these zones. */
async function open(...zones: readonly Zone[]) {
  const servers = await Promise.all(zones.map(serve))
  const dns = openDns({ servers: servers.map(({ server }) => server), timeout: 60 })
  onTestFinished(() => dns.close())
  return { ...dns, servers }
}

describe('a domain', () => {
  test('is found with its primary name server and its addresses, those of www among them', async () => {
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

  test('may have addresses under www alone', async () => {
    const { lookUp } = await open({ 'kunde.test': { SOA: 'ns.test' }, 'www.kunde.test': here })
    expect(await lookUp('kunde.test')).toEqual({
      outcome: 'found',
      mname: 'ns.test',
      addresses: ['192.0.2.1'],
      missing: null,
    })
  })

  test('is found without the answer for its www, which is told to be missing', async () => {
    const { lookUp } = await open({ 'kunde.test': { SOA: 'ns.test', ...here }, 'www.kunde.test': 'silence' })
    expect(await lookUp('kunde.test')).toEqual({
      outcome: 'found',
      mname: 'ns.test',
      addresses: ['192.0.2.1'],
      missing: 'no name server answered in time',
    })
  })

  test.each([
    ['shop.kunde.test', 'kunde.test'],
    ['a.b.kunde.co.uk', 'kunde.co.uk'],
    ['xn--hfe-sdtirol-4ibb.bz.it', 'xn--hfe-sdtirol-4ibb.bz.it'],
    ['kunde.github.io', 'github.io'],
  ])('%s lies in %s, whose name server counts', async (name, domain) => {
    const { lookUp, servers } = await open({
      [domain]: { SOA: 'ns.test', ...here },
      [name]: { SOA: 'ns.test', ...here },
    })
    expect(await lookUp(name)).toMatchObject({ outcome: 'found', mname: 'ns.test', addresses: ['192.0.2.1'] })
    expect(servers[0]?.state.asked).toContain(`SOA ${domain}`)
    expect(servers[0]?.state.asked.filter((asked) => asked.startsWith('SOA'))).toHaveLength(1)
  })

  test('is asked for in its ASCII form, however it comes', async () => {
    const { lookUp } = await open({ 'xn--mller-kva.test': { SOA: 'ns.test', ...here } })
    expect(await lookUp('müller.test')).toMatchObject({ outcome: 'found' })
  })
})

describe('a host name alone', () => {
  test('is what it says itself, and nothing that its zone or its www says', async () => {
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
    ['that is not there', {}, 'the name does not exist'],
    ['without an address', { 'kunde.test': { SOA: 'ns.test' } }, 'it has no address'],
  ])('%s is nothing', async (_, zone, reason) => {
    const { resolve } = await open(zone)
    expect(await resolve('kunde.test')).toEqual({ outcome: 'nothing', mname: null, reason })
  })

  test('that nobody answers for is unknown', async () => {
    const { resolve } = await open({ 'kunde.test': 'silence' })
    expect(await resolve('kunde.test')).toMatchObject({ outcome: 'unknown' })
  })
})

describe('there is nothing', () => {
  test.each([
    ['where the domain does not exist', {}, null, 'the domain does not exist'],
    [
      'where the name does not exist in its domain',
      { 'kunde.test': { SOA: 'ns.test' } },
      'ns.test',
      'the name does not exist',
    ],
    [
      'where the name has no address',
      { 'kunde.test': { SOA: 'ns.test' }, 'shop.kunde.test': {} },
      'ns.test',
      'it has no address',
    ],
  ] as const)('%s', async (_, zone, mname, reason) => {
    const { lookUp } = await open(zone)
    expect(await lookUp('shop.kunde.test')).toEqual({ outcome: 'nothing', mname, reason })
  })

  test('where two name servers say that the domain’s own fail', async () => {
    const zone = { 'kunde.test': 'SERVFAIL', 'www.kunde.test': 'SERVFAIL' } as const
    const { lookUp } = await open(zone, zone)
    expect(await lookUp('kunde.test')).toEqual({
      outcome: 'nothing',
      mname: null,
      reason: 'its name servers fail',
    })
  })
})

describe('nothing is known', () => {
  const all = (said: 'silence' | 'REFUSED' | 'SERVFAIL'): Zone => ({
    'kunde.test': said,
    'www.kunde.test': said,
  })

  test.each([
    ['silence', /no name server answered in time/],
    ['REFUSED', /refused/],
    ['SERVFAIL', /failed, and no other one/],
  ] as const)('where the only name server says %s', async (said, reason) => {
    const { lookUp } = await open(all(said))
    expect(await lookUp('kunde.test')).toEqual({ outcome: 'unknown', reason: expect.stringMatching(reason) })
  })

  test('where one fails and the other does not answer', async () => {
    const { lookUp } = await open(all('SERVFAIL'), all('silence'))
    expect(await lookUp('kunde.test')).toMatchObject({ outcome: 'unknown' })
  })

  test('where nobody listens', async () => {
    const gone = await startDnsServer({})
    await gone.stop()
    const dns = openDns({ servers: [gone.server], timeout: 60 })
    expect(await dns.lookUp('kunde.test')).toMatchObject({ outcome: 'unknown' })
    expect(await dns.addresses('kunde.test')).toBeNull()
  })

  test('where the domain is there and its addresses cannot be learned', async () => {
    const { lookUp } = await open({ 'kunde.test': { SOA: 'ns.test', silent: ['A'] }, 'www.kunde.test': {} })
    expect(await lookUp('kunde.test')).toMatchObject({ outcome: 'unknown' })
  })

  test('where its addresses are there and its SOA record cannot be learned', async () => {
    const { lookUp } = await open({ 'kunde.test': { ...here, silent: ['SOA'] } })
    expect(await lookUp('kunde.test')).toMatchObject({ outcome: 'unknown' })
  })
})

test('a second name server is asked where the first one does not answer', async () => {
  const { lookUp } = await open(
    { 'kunde.test': 'silence', 'www.kunde.test': 'REFUSED' },
    { 'kunde.test': { SOA: 'ns.test', ...here } },
  )
  expect(await lookUp('kunde.test')).toMatchObject({ outcome: 'found' })
})

test('a server that is silent about IPv6 hides no IPv4 address', async () => {
  const { lookUp } = await open({ 'kunde.test': { SOA: 'ns.test', ...here, silent: ['AAAA'] } })
  expect(await lookUp('kunde.test')).toMatchObject({ outcome: 'found', addresses: ['192.0.2.1'] })
})

test('what has changed is seen at the next look', async () => {
  const { lookUp, servers } = await open({ 'kunde.test': { SOA: 'ns.test', ...here, ttl: 3600 } })
  expect(await lookUp('kunde.test')).toMatchObject({ outcome: 'found' })
  for (const { state } of servers) state.zone = {}
  expect(await lookUp('kunde.test')).toMatchObject({ outcome: 'nothing' })
})

test('who stops waits no longer', async () => {
  const { lookUp } = await open({ 'kunde.test': 'silence' })
  const reason = new Error('enough')
  const stopping = new AbortController()
  setTimeout(() => stopping.abort(reason), 10)
  await expect(lookUp('kunde.test', stopping.signal)).rejects.toBe(reason)
  await expect(lookUp('kunde.test', stopping.signal)).rejects.toBe(reason)
})

test('addresses of a name are of both families, none where it has none', async () => {
  const { addresses } = await open({ 'node.test': { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] } })
  expect(await addresses('node.test')).toEqual(['192.0.2.1', '2001:db8::1'])
  expect(await addresses('gone.test')).toEqual([])
})
