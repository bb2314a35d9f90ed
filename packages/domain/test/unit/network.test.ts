import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { networkOf, withoutPort } from '../../src/platform/network.ts'

describe('the network for which limits count', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['::ffff:0.0.0.0', '0.0.0.0'],
    ['2001:db8:0:7::1', '2001:db8:0:7::/64'],
    ['2001:0DB8::7:ffff:0:0:1', '2001:db8:0:7::/64'],
    ['2001:db8:0:7:ffff:ffff:ffff:ffff', '2001:db8:0:7::/64'],
    ['2001:db8:0:8::', '2001:db8:0:8::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
    ['unix', 'unix'],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  test('is the same for all addresses of a network and differs from others', () => {
    const half = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 4, maxLength: 4 })
    const formatGroups = (groups: readonly number[]) => groups.map((group) => group.toString(16)).join(':')
    fc.assert(
      fc.property(half, half, half, half, (network, other, host, another) => {
        // Some addresses of 0:0:0:0 represent IPv4 addresses.
        fc.pre(network[0] !== 0 && other[0] !== 0)
        const one = networkOf(`${formatGroups(network)}:${formatGroups(host)}`)
        expect(networkOf(`${formatGroups(network)}:${formatGroups(another)}`)).toBe(one)
        expect(networkOf(`${formatGroups(other)}:${formatGroups(host)}`) === one).toBe(
          formatGroups(other) === formatGroups(network),
        )
      }),
    )
  })
})

describe('the address without its port', () => {
  test.each([
    ['192.0.2.1:4711', '192.0.2.1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[::ffff:192.0.2.1]:80', '::ffff:192.0.2.1'],
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8::4711', '2001:db8::4711'],
    ['::1', '::1'],
    ['192.0.2:4711', '192.0.2:4711'],
    ['[nobody]:4711', '[nobody]:4711'],
    ['nobody:4711', 'nobody:4711'],
    ['', ''],
  ])('of %s is %s', (text, address) => {
    expect(withoutPort(text)).toBe(address)
  })
})
