import { describe, expect, test } from 'vitest'
import { openNamedSite } from './named-site.ts'
import { closedPort } from './probe-sites.ts'

const { site, dns, open, recordAddresses } = await openNamedSite()

describe('CONNECT_TO', () => {
  test('may lead to a private address', async () => {
    const prober = open({ connectTo: `web.test:${site.port}:127.0.0.1:` })
    const addresses = await recordAddresses(async () => {
      expect(await prober.probe('web.test')).toMatchObject({ status: 200 })
    })
    expect(addresses).toEqual(['127.0.0.1'])
    expect(dns.state.queries).toEqual([])
  })

  test('may name another host, which is resolved while the original one is requested', async () => {
    dns.state.zone = { 'node.test': { A: ['127.0.0.3'] } }
    const prober = open({ connectTo: `web.test::node.test:${site.port}` })
    const addresses = await recordAddresses(async () => {
      expect(await prober.probe('web.test')).toMatchObject({ status: 200 })
    })
    expect(addresses).toEqual(['127.0.0.3'])
    expect(site.visits.at(-1)?.servername).toBe('web.test')
  })

  test('keeps the host or port that an entry omits, and uses the first matching entry', async () => {
    dns.state.zone = { 'web.test': { A: ['127.0.0.3'] }, 'other.test': { A: ['127.0.0.4'] } }
    const ports = { secure: 443, plain: 80 }
    const prober = open({
      connectTo: `web.test:443::${site.port},:443:127.0.0.5:${site.port},::127.0.0.6:`,
      ports,
    })
    const addresses = await recordAddresses(async () => {
      expect(await prober.probe('web.test')).toMatchObject({ status: 200 })
      expect(await prober.probe('other.test')).toMatchObject({ status: 200 })
    })
    expect(addresses).toEqual(['127.0.0.3', '127.0.0.5'])
  })

  test('accepts IPv6 in brackets', async () => {
    const closed = await closedPort()
    const result = await open({ connectTo: `::[::1]:${closed}` }).probe('web.test')
    expect(result.reason?.code).toMatch(/^(connection_refused|address_unreachable)$/)
    expect(dns.state.queries).toEqual([])
  })

  test('does not exempt other hosts from the address filter', async () => {
    dns.state.zone = { 'other.test': { A: ['127.0.0.1'] } }
    const prober = open({ connectTo: `web.test::127.0.0.1:${site.port}` })
    const addresses = await recordAddresses(async () => {
      expect(await prober.probe('other.test')).toMatchObject({ reason: { code: 'address_private' } })
    })
    expect(addresses).toEqual([])
  })
})
