import { createDnsClient, type DnsAnswer } from '../dns/dns-client.ts'
import { findByCode } from '../http/error-code.ts'
import { FetchError, type FetchFailure, nameFailureCodes } from './fetch-error.ts'

/** Whatever the TTL of an answer is. */
const maxTtlMs = 5 * 60_000
const maxEntries = 20_000

/** Creates a cache of the addresses that names resolve to; failures are not cached. */
export function createAddressCache(servers: readonly string[], timeoutMs: number, now: () => number) {
  const client = createDnsClient(servers, timeoutMs)
  const known = new Map<string, { readonly addresses: readonly string[]; readonly until: number }>()

  return {
    /**
     * Returns no address if the name has none of that family.
     * @throws {FetchError} if it does not resolve; the signal's reason if it is aborted
     */
    async addresses(name: string, family: 4 | 6, signal?: AbortSignal): Promise<readonly string[]> {
      const key = `${family}${name}`
      const kept = known.get(key)
      if (kept !== undefined && kept.until > now()) return kept.addresses
      known.delete(key)
      const answer = await client.addresses(name, family, signal)
      if (answer.kind === 'no data') return []
      if (answer.kind !== 'records') throw new FetchError(failureOf(answer))
      const addresses = answer.records.map(({ address }) => address)
      const until = now() + Math.min(maxTtlMs, ...answer.records.map(({ ttl }) => ttl * 1000))
      if (until > now()) {
        if (known.size >= maxEntries) known.delete(known.keys().next().value ?? key)
        known.set(key, { addresses, until })
      }
      return addresses
    },
    /** Makes the next lookup query again. */
    forget(name: string): void {
      known.delete(`4${name}`)
      known.delete(`6${name}`)
    },
    close: client.close,
  }
}

function failureOf(answer: Exclude<DnsAnswer<never>, { kind: 'records' | 'no data' }>): FetchFailure {
  if (answer.kind === 'no name') return { code: 'name_not_found' }
  if (answer.kind === 'broken') return { code: 'name_server_failed' }
  const code = findByCode(nameFailureCodes, answer.code)
  return code ? { code } : { code: 'name_lookup_failed', params: { detail: answer.code } }
}
