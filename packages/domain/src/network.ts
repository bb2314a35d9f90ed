import { isIP } from 'node:net'

/**
 * What limits count as one address: of IPv6 the first 64 bits, since whoever is connected has at least so many (RFC 6177) and
 * could come from another one of them with each call; of IPv4 the address, however it is written (`::ffff:192.0.2.1`).
 * @returns such as `192.0.2.1` or `2001:db8:0:7::/64`; what is no address as it is
 */
export function networkOf(address: string): string {
  // Of a link-local address behind the % is the interface that it was seen at.
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

/** The eight groups of an IPv6 address, in hexadecimal digits without zeros in front. */
function groupsOf(address: string): string[] {
  // The URL standard's form has one spelling for each address.
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
}
