import { BlockList, isIP } from 'node:net'
import type { DnsResult } from '@kustos/clients/dns'
import type { KnownMessage } from '@kustos/contract/messages'

export interface NodeAddresses {
  has(address: string): boolean
  /** A node whose addresses could not be resolved. */
  readonly missing: string | null
}

/** @param addresses in any notation; invalid ones are ignored */
export function createNodeAddresses(addresses: readonly string[], missing: string | null): NodeAddresses {
  const known = new BlockList()
  const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
  for (const address of addresses) if (isIP(address) !== 0) known.addAddress(address, family(address))
  return { has: (address) => isIP(address) !== 0 && known.check(address, family(address)), missing }
}

export type DomainState =
  | { readonly state: 'ok' | 'extern' | 'error'; readonly mname: string | null }
  | { readonly state: 'unknown'; readonly error: KnownMessage }

/** Derives the state of a domain: it points to one of our nodes, elsewhere, or does not resolve. */
export function determineDomainState(lookup: DnsResult, nodes: NodeAddresses): DomainState {
  if (lookup.outcome === 'unknown') return { state: 'unknown', error: lookup.reason }
  const { mname } = lookup
  if (lookup.outcome === 'nothing') return { state: 'error', mname }
  if (lookup.addresses.some(nodes.has)) return { state: 'ok', mname }
  // An address that could not be resolved may be ours.
  if (lookup.missing !== null) return { state: 'unknown', error: lookup.missing }
  if (nodes.missing !== null)
    return { state: 'unknown', error: { code: 'node_addresses_unknown', params: { node: nodes.missing } } }
  return { state: 'extern', mname }
}
