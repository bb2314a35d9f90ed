import { isIP } from 'node:net'

/** @returns the address of a text such as `192.0.2.1:4711` or `[2001:db8::1]:4711`; other texts unchanged */
export function withoutPort(text: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? []
  const address = ipv6 ?? ipv4 ?? text
  return isIP(address) === 0 ? text : address
}

/**
 * Returns the network that rate limits count as one client: an IPv4 address, also if it is mapped to IPv6, or the /64
 * network of an IPv6 address, since every customer has at least one of those (RFC 6177).
 * @returns such as `192.0.2.1` or `2001:db8:0:7::/64`; other texts unchanged
 */
export function networkOf(address: string): string {
  // Link-local addresses end with their interface, behind a %.
  const [bare = ''] = address.split('%', 1)
  if (isIP(bare) !== 6) return address
  const groups = groupsOf(bare)
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff')
    return groups
      .slice(6)
      .map((group) => Number.parseInt(group, 16))
      .flatMap((number) => [number >> 8, number & 255])
      .join('.')
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** The eight groups of an IPv6 address, in hexadecimal digits without leading zeros. */
function groupsOf(address: string): string[] {
  // URL normalizes the address.
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
}
