import { BlockList, isIP } from 'node:net'

/**
 * All of IANA's special-purpose registry (https://www.iana.org/assignments/iana-ipv4-special-registry), multicast,
 * reserved networks, and the address of Azure's platform, which is reachable from every machine there.
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

/** The only public IPv6 addresses; loopback, ULA, link-local, mapped, multicast and others are outside. */
const globalIpv6 = ['2000::/3']

/** Special networks among them, https://www.iana.org/assignments/iana-ipv6-special-registry; includes Teredo and 6to4. */
const specialIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

/** NAT64 (RFC 6052): the last 32 bits are the IPv4 address. */
const nat64 = ['64:ff9b::/96']

/**
 * Returns a function for whether an address may be connected to: a public or an allowed one.
 * @param allowed special networks (CIDR) that may be connected to
 * @throws if a network is invalid
 */
export function createAddressFilter(allowed: readonly string[]): (address: string) => boolean {
  const exceptions = networks(allowed)
  const permits = (address: string): boolean => {
    const family = isIP(address)
    if (family === 0) return false
    if (family === 4) return exceptions.check(address) || !special.check(address)
    if (exceptions.check(address, 'ipv6')) return true
    if (nat64Networks.check(address, 'ipv6')) return permits(embeddedIpv4(address))
    return globalNetworks.check(address, 'ipv6') && !special.check(address, 'ipv6')
  }
  return permits
}

const special = networks([...specialIpv4, ...specialIpv6])
const globalNetworks = networks(globalIpv6)
const nat64Networks = networks(nat64)

function networks(list: readonly string[]): BlockList {
  const blocks = new BlockList()
  for (const network of list) {
    const [address = '', bits = ''] = network.split('/')
    blocks.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return blocks
}

function embeddedIpv4(address: string): string {
  // In the URL standard's form they are two groups of hexadecimal digits, or :: if they are zero.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':')
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/**
 * Parses a host as browsers do: `2130706433`, `0x7f.1` and `127.1` are addresses. Returns null if it is neither a name nor
 * an address.
 */
export function readHost(host: string): { readonly name: string; readonly address: string | null } | null {
  if (!/^([\w.-]+|\[[\da-f:.]+\])$/i.test(host)) return null
  const url = URL.parse(`http://${host}/`)
  if (url === null || url.hostname === '') return null
  const name = url.hostname.replace(/\.$/, '')
  const bare = name.replace(/^\[(.*)\]$/, '$1')
  return { name, address: isIP(bare) === 0 ? null : bare }
}
