import type { Dns, RecordsOptions, RecordsResult } from '@kustos/clients/dns'
import { type DnsType, dnsTypes } from '@kustos/contract/domains'
import { storableText } from '@kustos/database/storable-text'
import type { Records } from './evaluate-answer.ts'

export interface Lookup {
  readonly host: string
  readonly type: DnsType
}

export const keyOf = ({ host, type }: Lookup): string => `${host} ${type}`

export interface LookupResult extends Lookup {
  readonly answer: RecordsResult
  /** Whether the answer follows from an alias, so that the type itself was not asked for. */
  readonly isOfAlias?: boolean
}

export interface WatchedName {
  readonly name: string
  readonly domain: string
  /** DKIM selectors that have or had a key. */
  readonly selectors: readonly string[]
}

/** Types that a host that is an alias may still be asked for: the addresses are those of its target. */
const typesOfAlias: readonly DnsType[] = ['A', 'AAAA']

/** The records of a name; for domains those of DMARC and of known DKIM keys, too. */
export async function lookUpName(
  dns: Dns,
  { name, domain, selectors }: WatchedName,
  signal: AbortSignal,
): Promise<readonly LookupResult[]> {
  const alias = await readRecords(dns, { host: name, type: 'CNAME' }, { signal })
  const isAlias = alias.outcome === 'answered' && alias.records.length > 0
  // The domain itself cannot be an alias (RFC 1912, 2.4).
  const mayBeAlias = alias.outcome === 'unknown' && name !== domain
  const below = [`_dmarc.${name}`, ...selectors.map((selector) => `${selector}._domainkey.${name}`)]
  const wanted: readonly Lookup[] = [
    ...dnsTypes.filter((type) => type !== 'CNAME').map((type) => ({ host: name, type })),
    ...(name === domain ? below : []).map((host) => ({ host, type: 'TXT' as const })),
  ]
  const results = await Promise.all(
    wanted.map(async (lookup): Promise<LookupResult> => {
      // The other records are those of the target, as RFC 1034 allows none beside an alias.
      if (lookup.host === name && !typesOfAlias.includes(lookup.type)) {
        if (isAlias) return { ...lookup, answer: { outcome: 'answered', records: [] }, isOfAlias: true }
        if (mayBeAlias) return { ...lookup, answer: alias }
      }
      return { ...lookup, answer: await readRecords(dns, lookup, { signal }) }
    }),
  )
  return [{ host: name, type: 'CNAME', answer: alias }, ...results]
}

/** Asks another name server for what differs. @returns null if it does not answer, or knows nothing of the alias */
export async function confirmRecords(
  dns: Dns,
  { host, type, isOfAlias = false }: LookupResult,
  signal: AbortSignal,
): Promise<Records | null> {
  // Asked for the type itself, it would follow the alias and return the records of its target.
  const answer = await readRecords(dns, { host, type: isOfAlias ? 'CNAME' : type }, { signal, server: 1 })
  if (answer.outcome !== 'answered') return null
  if (!isOfAlias) return answer.records
  return answer.records.length > 0 ? [] : null
}

/** Records as they are stored: those with a character that is replaced there would otherwise count as changed each time. */
async function readRecords(
  dns: Dns,
  { host, type }: Lookup,
  options: RecordsOptions,
): Promise<RecordsResult> {
  const answer = await dns.records(host, type, options)
  if (answer.outcome !== 'answered') return answer
  return { ...answer, records: [...new Set(answer.records.map(storableText))].toSorted() }
}
