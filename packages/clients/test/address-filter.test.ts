import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import { createAddressFilter } from '../src/connect/address-filter.ts'
import { openProber } from '../src/probe/prober.ts'
import { openNamedSite } from './named-site.ts'

const { dns, open, recordAddresses } = await openNamedSite()

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

  test.each(forms)('is refused when written as %s', async (host) => {
    const prober = open()
    const addresses = await recordAddresses(async () => {
      expect(await prober.probe(host)).toMatchObject({ status: null, reason: { code: 'address_private' } })
    })
    expect(addresses).toEqual([])
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
    'is refused in a record of type %s: %s',
    async (type, address) => {
      dns.state.zone = { 'web.test': { [type]: [address] } }
      const prober = open()
      const addresses = await recordAddresses(async () => {
        expect(await prober.probe('web.test')).toMatchObject({
          status: null,
          reason: { code: 'address_private' },
        })
      })
      expect(addresses).toEqual([])
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
  ])('cannot be recordAddresses by "%s", which is not a host', async (host) => {
    const prober = open()
    expect(await recordAddresses(() => prober.probe(host))).toEqual([])
    expect(await prober.probe(host)).toMatchObject({ status: null, reason: { code: 'host_name_wrong' } })
    expect(dns.state.queries).toEqual([])
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
  // NAT64 addresses embed an IPv4 address, which decides.
  ['64:ff9b::101:101', true],
  ['64:ff9b::', false],
  ['64:ff9b::c0a8:1', false],
  ['10.1.2.3', true],
  ['64:ff9b::a01:203', true],
  ['10.2.0.0', false],
  ['fd12::1', true],
  ['fd13::1', false],
  ['web.test', false],
])('allows a connection to %s: %s', (address, allowed) => {
  expect(createAddressFilter(['10.1.0.0/16', 'fd12::/32'])(address)).toBe(allowed)
})

test('rejects invalid networks and name servers', () => {
  expect(() => openProber({ allowNetworks: ['10.0.0.0/33'] })).toThrow()
  expect(() => openProber({ dnsServers: ['not-an-address'] })).toThrow()
})
