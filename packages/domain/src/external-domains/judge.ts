import { BlockList, isIP } from 'node:net'
import type { DnsResult } from '@kustos/clients/dns'
import type { KnownMessage } from '@kustos/contract/messages'

/** The addresses of our nodes. */
export interface OurAddresses {
  has(address: string): boolean
  /** A node whose addresses could not be resolved. */
  readonly missing: string | null
}

/** @param addresses in any notation; invalid ones are ignored */
export function ourAddresses(addresses: readonly string[], missing: string | null): OurAddresses {
  const ours = new BlockList()
  const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
  for (const address of addresses) if (isIP(address) !== 0) ours.addAddress(address, family(address))
  return { has: (address) => isIP(address) !== 0 && ours.check(address, family(address)), missing }
}

export type Judged =
  | { readonly state: 'ok' | 'extern' | 'error'; readonly mname: string | null }
  | { readonly state: 'unknown'; readonly error: KnownMessage }

/** Derives the state of a domain: it points to one of our nodes, elsewhere, or does not resolve. */
export function judgeDomain(looked: DnsResult, ours: OurAddresses): Judged {
  if (looked.outcome === 'unknown') return { state: 'unknown', error: looked.reason }
  const { mname } = looked
  if (looked.outcome === 'nothing') return { state: 'error', mname }
  if (looked.addresses.some(ours.has)) return { state: 'ok', mname }
  // An address that could not be resolved may be ours.
  if (looked.missing !== null) return { state: 'unknown', error: looked.missing }
  if (ours.missing !== null)
    return { state: 'unknown', error: { code: 'node_addresses_unknown', params: { node: ours.missing } } }
  return { state: 'extern', mname }
}
