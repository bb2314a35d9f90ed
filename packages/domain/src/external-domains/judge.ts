import { BlockList, isIP } from 'node:net'
import type { Looked } from '@kustos/clients/dns'

/** Where our nodes are. */
export interface OurAddresses {
  has(address: string): boolean
  /** A node whose addresses could not be learned: what leads to it is not recognised. */
  readonly missing: string | null
}

/** @param addresses of nodes, in any spelling; what is none counts as nothing */
export function ourAddresses(addresses: readonly string[], missing: string | null): OurAddresses {
  const ours = new BlockList()
  const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
  for (const address of addresses) if (isIP(address) !== 0) ours.addAddress(address, family(address))
  return { has: (address) => isIP(address) !== 0 && ours.check(address, family(address)), missing }
}

export type Judged =
  | { readonly state: 'ok' | 'extern' | 'error'; readonly mname: string | null }
  /** Nothing was learned; the reason is a sentence. */
  | { readonly state: 'unknown'; readonly error: string }

/** What a look at a domain means for it (product: SOA found and pointing to a node of ours, elsewhere, NX or error). */
export function judgeDomain(looked: Looked, ours: OurAddresses): Judged {
  if (looked.outcome === 'unknown') return { state: 'unknown', error: sentence(looked.reason) }
  const { mname } = looked
  if (looked.outcome === 'nothing') return { state: 'error', mname }
  if (looked.addresses.some(ours.has)) return { state: 'ok', mname }
  // One that could not be asked for may be ours.
  if (looked.missing !== null) return { state: 'unknown', error: sentence(looked.missing) }
  if (ours.missing !== null)
    return { state: 'unknown', error: `The addresses of node ${ours.missing} could not be learned.` }
  return { state: 'extern', mname }
}

const sentence = (reason: string) => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`
