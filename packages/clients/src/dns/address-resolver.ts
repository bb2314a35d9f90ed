import { promises } from 'node:dns'
import { FetchError, type PlainCode } from '../connect/fetch-error.ts'
import { errorCodeOf } from '../http/error-code.ts'

export interface NamesSettings {
  /** The system's if it is empty. */
  readonly servers: readonly string[]
  /** For the first query to a server; the second gets twice as long. */
  readonly timeoutMs: number
  readonly now: () => number
}

export interface Names {
  /**
   * Returns no address if the name has none of that family.
   * @throws {FetchError} if it does not resolve
   */
  addresses(name: string, family: 4 | 6): Promise<readonly string[]>
  /** Makes the next lookup query again. */
  forget(name: string): void
  close(): void
}

/** Whatever the TTL of an answer is. */
const maxTtlMs = 5 * 60_000
const maxEntries = 20_000

/**
 * Creates a caching resolver; failures are not cached. It uses c-ares rather than `dns.lookup`, whose four threads a few
 * unresponsive name servers would block. So /etc/hosts has no effect.
 */
export function openNames({ servers, timeoutMs, now }: NamesSettings): Names {
  const resolver = new promises.Resolver({ timeout: timeoutMs, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  const known = new Map<string, { readonly addresses: readonly string[]; readonly until: number }>()

  return {
    async addresses(name, family) {
      const key = `${family}${name}`
      const kept = known.get(key)
      if (kept !== undefined && kept.until > now()) return kept.addresses
      known.delete(key)
      const records = await query(resolver, name, family)
      const addresses = records.map(({ address }) => address)
      const until = now() + Math.min(maxTtlMs, ...records.map(({ ttl }) => ttl * 1000))
      if (addresses.length > 0 && until > now()) {
        if (known.size >= maxEntries) known.delete(known.keys().next().value ?? key)
        known.set(key, { addresses, until })
      }
      return addresses
    },
    forget(name) {
      known.delete(`4${name}`)
      known.delete(`6${name}`)
    },
    close: () => resolver.cancel(),
  }
}

async function query(resolver: promises.Resolver, name: string, family: 4 | 6) {
  try {
    return family === 4
      ? await resolver.resolve4(name, { ttl: true })
      : await resolver.resolve6(name, { ttl: true })
  } catch (error) {
    const code = errorCodeOf(error)
    if (code === 'ENODATA') return []
    const known = failureCodes[code]
    throw new FetchError(
      known ? { code: known } : { code: 'name_lookup_failed', params: { detail: code || String(error) } },
      { cause: error },
    )
  }
}

/** Of c-ares' errors, as Node names them (https://nodejs.org/api/dns.html#error-codes). */
const failureCodes: Readonly<Record<string, PlainCode>> = {
  ENOTFOUND: 'name_not_found',
  EBADNAME: 'host_name_wrong',
  ETIMEOUT: 'name_server_silent',
  ECONNREFUSED: 'name_server_unreachable',
  ESERVFAIL: 'name_server_failed',
  EREFUSED: 'name_server_refused',
  ECANCELLED: 'stopped',
}
