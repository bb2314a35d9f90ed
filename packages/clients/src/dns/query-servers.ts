import { promises } from 'node:dns'
import { errorCodeOf } from '../http/error-code.ts'

export type DnsAnswer<Record> =
  | { readonly kind: 'records'; readonly records: readonly Record[] }
  | { readonly kind: 'no data' }
  | { readonly kind: 'no name' }
  /** Two name servers report that the domain's own servers fail. */
  | { readonly kind: 'broken' }
  | { readonly kind: 'unknown'; readonly reason: string }

const maxServers = 3

/**
 * Queries one name server after the other until one answers. Each has its own resolver, since a SERVFAIL counts only if
 * another server confirms it. A timeout or a refusal never counts as an answer.
 */
export function createServerQueries(servers: readonly string[], timeoutMs: number) {
  const queried = (servers.length > 0 ? servers : new promises.Resolver().getServers()).slice(0, maxServers)
  const resolvers = queried.map((server) => {
    const resolver = new promises.Resolver({ timeout: timeoutMs, tries: 2 })
    resolver.setServers([server])
    return resolver
  })
  return {
    async query<Record>(
      lookUp: (resolver: promises.Resolver) => Promise<readonly Record[]>,
    ): Promise<DnsAnswer<Record>> {
      let failures = 0
      let reason = 'there is no name server to ask'
      for (const resolver of resolvers) {
        try {
          return { kind: 'records', records: await lookUp(resolver) }
        } catch (error) {
          const code = errorCodeOf(error)
          if (code === 'ENODATA') return { kind: 'no data' }
          if (code === 'ENOTFOUND') return { kind: 'no name' }
          if (code === 'ESERVFAIL') failures += 1
          if (failures === 2) return { kind: 'broken' }
          reason = reasons[code] ?? (code || String(error))
        }
      }
      return { kind: 'unknown', reason }
    },
    close() {
      for (const resolver of resolvers) resolver.cancel()
    },
  }
}

/** Of c-ares' errors, as Node names them (https://nodejs.org/api/dns.html#error-codes). */
const reasons: Readonly<Record<string, string>> = {
  EBADNAME: 'the name is not a host name',
  ETIMEOUT: 'no name server answered in time',
  ECONNREFUSED: 'no name server could be reached',
  ESERVFAIL: 'the name server failed, and no other one was there to confirm it',
  EREFUSED: 'the name server refused the question',
  ENOTIMP: 'the name server does not know such questions',
  EFORMERR: 'the name server did not understand the question',
  EBADRESP: 'the name server answered something that cannot be read',
  ECANCELLED: 'stopped',
}
