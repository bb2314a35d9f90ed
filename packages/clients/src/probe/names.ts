import { promises } from 'node:dns'
import { ProbeFailure } from './failure.ts'

export interface NamesSettings {
  /** In place of the system's; empty for those. */
  readonly servers: readonly string[]
  /** Milliseconds for a first question to a server; the second gets twice as long. */
  readonly timeout: number
  /** Milliseconds that pass on their own. */
  readonly now: () => number
}

/** Addresses of names. */
export interface Names {
  /**
   * @returns none where the name has none of that family
   * @throws {ProbeFailure} where it does not resolve
   */
  addresses(name: string, family: 4 | 6): Promise<readonly string[]>
  /** Asks anew the next time: what was behind its addresses may have moved. */
  forget(name: string): void
  close(): void
}

/** Kept at most so long, in milliseconds, whatever an answer's TTL says. */
const longest = 5 * 60_000
const most = 20_000

/**
 * Asks by c-ares, on sockets, and not by `dns.lookup`: getaddrinfo waits in one of four threads, which a few dead name
 * servers would hold up for all. So /etc/hosts does not count. Failures are not kept.
 */
export function openNames({ servers, timeout, now }: NamesSettings): Names {
  const resolver = new promises.Resolver({ timeout, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  const known = new Map<string, { readonly addresses: readonly string[]; readonly until: number }>()

  return {
    async addresses(name, family) {
      const key = `${family}${name}`
      const kept = known.get(key)
      if (kept !== undefined && kept.until > now()) return kept.addresses
      known.delete(key)
      const records = await ask(resolver, name, family)
      const addresses = records.map(({ address }) => address)
      const until = now() + Math.min(longest, ...records.map(({ ttl }) => ttl * 1000))
      if (addresses.length > 0 && until > now()) {
        // The oldest makes room, which a Map keeps first.
        if (known.size >= most) known.delete(known.keys().next().value ?? key)
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

async function ask(resolver: promises.Resolver, name: string, family: 4 | 6) {
  try {
    return family === 4
      ? await resolver.resolve4(name, { ttl: true })
      : await resolver.resolve6(name, { ttl: true })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ENODATA') return []
    throw new ProbeFailure(reasons[code] ?? `its name does not resolve: ${code || String(error)}`, {
      cause: error,
    })
  }
}

/** Of c-ares' errors, as Node names them (https://nodejs.org/api/dns.html#error-codes). */
const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name does not resolve',
  EBADNAME: 'its name is not a host name',
  ETIMEOUT: 'its name does not resolve: no name server answered',
  ECONNREFUSED: 'its name does not resolve: no name server could be reached',
  ESERVFAIL: 'its name does not resolve: the name server failed',
  EREFUSED: 'its name does not resolve: the name server refused the question',
  ECANCELLED: 'stopped',
}
