import { describe, expect, test } from 'vitest'
import { openNamedSite } from './named-site.ts'
import { closedPort, startSite } from './probe-sites.ts'

const { dns, open, recordAddresses } = await openNamedSite()

describe('a host name', () => {
  test('with allowed and refused addresses is reached at the allowed ones only', async () => {
    dns.state.zone = { 'web.test': { A: ['10.0.0.1', '127.0.0.1', '127.0.0.3', '169.254.169.254'] } }
    const prober = open({ allowNetworks: ['127.0.0.3/32'] })
    const addresses = await recordAddresses(async () => {
      expect(await prober.probe('web.test')).toMatchObject({ status: 200, reason: null })
    })
    expect(addresses).toEqual(['127.0.0.3'])
  })

  test('is checked by the address that is connected to, even if its records change', async () => {
    const prober = open({ allowNetworks: ['127.0.0.3/32'] })
    const addresses = await recordAddresses(async () => {
      for (const address of ['127.0.0.3', '127.0.0.1', '127.0.0.3', '10.0.0.1']) {
        dns.state.zone = { 'web.test': { A: [address], ttl: 0 } }
        const result = await prober.probe('web.test')
        expect(result.status).toBe(address === '127.0.0.3' ? 200 : null)
      }
    })
    expect(addresses).toEqual(['127.0.0.3', '127.0.0.3'])
    // One query per probe: no second response can differ from the one that was checked.
    expect(dns.state.queries.filter((question) => question === 'A web.test')).toHaveLength(4)
  })

  test('is reached at its next address if the first refuses', async () => {
    const one = await startSite({ host: '127.0.0.4' })
    try {
      dns.state.zone = { 'web.test': { A: ['127.0.0.3', '127.0.0.4'] } }
      const ports = { secure: await closedPort(), plain: one.port }
      const result = await open({ allowNetworks: ['127.0.0.0/8'], ports }).probe('web.test')
      expect(result).toMatchObject({ status: 200, reason: null })
      expect(one.connections).toHaveLength(1)
    } finally {
      await one.stop()
    }
  })

  test.each([
    ['fails for', { broken: ['AAAA'] }],
    ['does not respond for', { silent: ['AAAA'] }],
  ])('is requested over HTTP if TLS is refused and its name server %s IPv6', async (_, how) => {
    const plain = await startSite({ host: '127.0.0.4' })
    try {
      dns.state.zone = { 'web.test': { A: ['127.0.0.4'], ...how } }
      const ports = { secure: await closedPort(), plain: plain.port }
      const prober = open({ allowNetworks: ['127.0.0.0/8'], ports, deadlineMs: 4_000 })
      expect(await prober.probe('web.test')).toMatchObject({ status: 200, reason: null })
    } finally {
      await plain.stop()
    }
  })

  test('that has only IPv6 says nothing on a machine without it', async () => {
    // A multicast address has no route for TCP on any machine.
    dns.state.zone = {
      'web.test': { AAAA: ['ff02::1'] },
      'other.test': { A: ['127.0.0.1'], AAAA: ['ff02::1'] },
    }
    const prober = open({ allowNetworks: ['ff00::/8', '127.0.0.0/8'], ports: { secure: 1, plain: 1 } })
    expect((await prober.probe('web.test')).reason).toEqual({ code: 'ipv6_missing' })
    expect((await prober.probe('other.test')).reason).toEqual({ code: 'connection_refused' })
  })

  test('is looked up for IPv6 if it has no IPv4 address', async () => {
    dns.state.zone = { 'web.test': { AAAA: ['::1'] } }
    const result = await open({ allowNetworks: ['::1/128'], ports: { secure: 1, plain: 1 } }).probe(
      'web.test',
    )
    expect(result.reason?.code).toMatch(/^(connection_refused|address_unreachable)$/)
    expect(dns.state.queries.slice(0, 2)).toEqual(['A web.test', 'AAAA web.test'])
  })

  test.each([
    ['has no such name', undefined, { code: 'name_not_found' }],
    ['has no address for it', {}, { code: 'address_missing' }],
    ['fails', 'SERVFAIL' as const, { code: 'name_server_failed' }],
    ['refuses the query', 'REFUSED' as const, { code: 'name_server_refused' }],
  ])('reports that its name server %s', async (_, found, reason) => {
    dns.state.zone = found === undefined ? {} : { 'web.test': found }
    expect(await open().probe('web.test')).toMatchObject({ status: null, reason, certificate: null })
  })

  test('whose name server is silent fails within the deadline and delays no other', async () => {
    dns.state.zone = { 'dead.test': 'timeout', 'web.test': { A: ['127.0.0.3'] } }
    const prober = open({ allowNetworks: ['127.0.0.0/8'], deadlineMs: 1_000 })
    const dead = Promise.all(Array.from({ length: 30 }, () => prober.probe('dead.test')))
    const result = await prober.probe('web.test')
    expect(result).toMatchObject({ status: 200 })
    expect(result.milliseconds).toBeLessThan(500)
    for (const { reason } of await dead)
      expect(reason?.code).toMatch(/^(name_server_silent|no_address_in_time)$/)
  })

  test('reports that its name server is not reachable', async () => {
    const prober = open({ dnsServers: [`127.0.0.1:${await closedPort()}`], deadlineMs: 1_000 })
    const { status, reason } = await prober.probe('web.test')
    expect(status).toBeNull()
    expect(reason?.code).toMatch(/^(name_server_(silent|unreachable)|no_address_in_time)$/)
  })

  describe('addresses', () => {
    const countQueries = () => dns.state.queries.filter((question) => question === 'A web.test').length

    test.each([
      [60, 59, 61],
      [86_400, 299, 301],
    ])('with a TTL of %d s are cached for %d s, and not for %d s', async (ttl, before, after) => {
      let now = Date.now()
      dns.state.zone = { 'web.test': { A: ['127.0.0.3'], ttl } }
      const prober = open({ allowNetworks: ['127.0.0.0/8'], now: () => now })
      await prober.probe('web.test')
      now += before * 1000
      await prober.probe('web.test')
      expect(countQueries()).toBe(1)
      now += (after - before) * 1000
      await prober.probe('web.test')
      expect(countQueries()).toBe(2)
    })

    test('are not cached beyond a failure, since the web may have moved', async () => {
      dns.state.zone = { 'web.test': { A: ['127.0.0.3'], ttl: 3600 } }
      const prober = open({ allowNetworks: ['127.0.0.0/8'], ports: { secure: await closedPort(), plain: 1 } })
      expect(await prober.probe('web.test')).toMatchObject({ reason: { code: 'connection_refused' } })
      const before = countQueries()
      await prober.probe('web.test')
      expect(countQueries()).toBeGreaterThan(before)
    })

    test('are not cached if they do not resolve', async () => {
      const prober = open({ allowNetworks: ['127.0.0.0/8'] })
      expect(await prober.probe('web.test')).toMatchObject({ reason: { code: 'name_not_found' } })
      dns.state.zone = { 'web.test': { A: ['127.0.0.3'] } }
      expect(await prober.probe('web.test')).toMatchObject({ status: 200 })
    })
  })
})
