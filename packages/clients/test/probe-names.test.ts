import { describe, expect, test } from 'vitest'
import { openNamedSite } from './named-site.ts'
import { closedPort, startSite } from './probe-sites.ts'

const { dns, open, reached } = await openNamedSite()

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
