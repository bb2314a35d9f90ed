import { promises } from 'node:dns'
import { errorCodeOf } from '../http/error-code.ts'
import type { DnsFailure } from './dns.ts'

export type DnsAnswer<Record> =
  | { readonly kind: 'records'; readonly records: readonly Record[] }
  | { readonly kind: 'no data' }
  | { readonly kind: 'no name' }
  /** Two name servers report that the domain's own servers fail. */
  | { readonly kind: 'broken' }
  | { readonly kind: 'unknown'; readonly reason: DnsFailure }

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
      let reason: DnsFailure = { code: 'dns_no_server' }
      for (const resolver of resolvers) {
        try {
          return { kind: 'records', records: await lookUp(resolver) }
        } catch (error) {
          const code = errorCodeOf(error)
          if (code === 'ENODATA') return { kind: 'no data' }
          if (code === 'ENOTFOUND') return { kind: 'no name' }
          if (code === 'ESERVFAIL') failures += 1
          if (failures === 2) return { kind: 'broken' }
          const failure = failureCodes[code]
          reason = failure
            ? { code: failure }
            : { code: 'dns_failed', params: { detail: code || String(error) } }
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
const failureCodes: Readonly<Record<string, Exclude<DnsFailure['code'], 'dns_failed'>>> = {
  EBADNAME: 'dns_bad_name',
  ETIMEOUT: 'dns_timeout',
  ECONNREFUSED: 'dns_unreachable',
  ESERVFAIL: 'dns_failure_unconfirmed',
  EREFUSED: 'dns_refused',
  ENOTIMP: 'dns_unsupported',
  EFORMERR: 'dns_question_rejected',
  EBADRESP: 'dns_answer_unreadable',
}
