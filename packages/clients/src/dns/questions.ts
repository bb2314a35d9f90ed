import { promises } from 'node:dns'

/** What came of a question. */
export type Said<Record> =
  | { readonly kind: 'records'; readonly records: readonly Record[] }
  | { readonly kind: 'no data' }
  | { readonly kind: 'no name' }
  /** Two name servers say that those of the domain fail. */
  | { readonly kind: 'broken' }
  | { readonly kind: 'unknown'; readonly reason: string }

/** More servers are not asked for one answer. */
const mostServers = 3

/**
 * Asks one name server after the other until one knows, by c-ares: `dns.lookup` would wait in one of four threads. Each
 * has a resolver of its own, since one failure (SERVFAIL) counts only where another server confirms it; a timeout or a
 * refusal never counts as an answer.
 */
export function openQuestions(servers: readonly string[], timeout: number) {
  const asked = (servers.length > 0 ? servers : new promises.Resolver().getServers()).slice(0, mostServers)
  const resolvers = asked.map((server) => {
    const resolver = new promises.Resolver({ timeout, tries: 2 })
    resolver.setServers([server])
    return resolver
  })
  return {
    async ask<Record>(
      question: (resolver: promises.Resolver) => Promise<readonly Record[]>,
    ): Promise<Said<Record>> {
      let failures = 0
      let reason = 'there is no name server to ask'
      for (const resolver of resolvers) {
        try {
          return { kind: 'records', records: await question(resolver) }
        } catch (error) {
          const code = codeOf(error)
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

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

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
