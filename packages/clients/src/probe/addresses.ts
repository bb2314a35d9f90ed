import { BlockList, isIP } from 'node:net'

/**
 * IANA's special-purpose registry for IPv4, whole (https://www.iana.org/assignments/iana-ipv4-special-registry), with
 * multicast, what is reserved, and the address of Azure's own platform, which every machine there reaches.
 */
const specialIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** The only IPv6 addresses given to the public: the rest (loopback, ULA, link-local, mapped, multicast …) is not asked at all. */
const globalIpv6 = ['2000::/3']

/** What is special inside of them (https://www.iana.org/assignments/iana-ipv6-special-registry): Teredo and 6to4 among it. */
const specialIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

/** NAT64 (RFC 6052): the last 32 bits are the IPv4 address that is reached. */
const nat64 = ['64:ff9b::/96']

/**
 * @param allowed networks (CIDR) that may be reached although they are special
 * @returns whether an address may be connected to: a public one, or an allowed one
 * @throws where a network is not one
 */
export function permission(allowed: readonly string[]): (address: string) => boolean {
  const exceptions = networks(allowed)
  const permits = (address: string): boolean => {
    const family = isIP(address)
    if (family === 0) return false
    if (family === 4) return exceptions.check(address) || !special.check(address)
    if (exceptions.check(address, 'ipv6')) return true
    if (translating.check(address, 'ipv6')) return permits(lastOf(address))
    return publicly.check(address, 'ipv6') && !special.check(address, 'ipv6')
  }
  return permits
}

const special = networks([...specialIpv4, ...specialIpv6])
const publicly = networks(globalIpv6)
const translating = networks(nat64)

function networks(list: readonly string[]): BlockList {
  const blocks = new BlockList()
  for (const network of list) {
    const [address = '', bits = ''] = network.split('/')
    blocks.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return blocks
}

/** The last 32 bits of an IPv6 address as an IPv4 address. */
function lastOf(address: string): string {
  // The URL standard's form writes them as two groups of hexadecimal digits, or as :: where they are all zero.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':')
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/**
 * A host as browsers read it: `2130706433`, `0x7f.1` and `127.1` are addresses.
 * @returns its address where it is one, else its name; null where it is neither
 */
export function readHost(host: string): { readonly name: string; readonly address: string | null } | null {
  if (!/^([\w.-]+|\[[\da-f:.]+\])$/i.test(host)) return null
  const url = URL.parse(`http://${host}/`)
  if (url === null || url.hostname === '') return null
  const name = url.hostname.replace(/\.$/, '')
  const bare = name.replace(/^\[(.*)\]$/, '$1')
  return { name, address: isIP(bare) === 0 ? null : bare }
}
