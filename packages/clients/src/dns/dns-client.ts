import { promises, type RecordWithTtl, type SoaRecord } from 'node:dns'
import { abortable } from '../connect/abortable.ts'
import { readErrorCode } from '../http/error-code.ts'

export type DnsAnswer<Record> =
  | { readonly kind: 'records'; readonly records: readonly Record[] }
  | { readonly kind: 'no data' }
  | { readonly kind: 'no name' }
  /** Two name servers report that the domain's own servers fail. */
  | { readonly kind: 'broken' }
  /** With the last error's code (https://nodejs.org/api/dns.html#error-codes) or words; empty if there is no name server. */
  | { readonly kind: 'unknown'; readonly code: string }

type LookUp<Record> = (resolver: promises.Resolver) => Promise<readonly Record[]>

const maxServers = 3

const host = (name: string) => name.toLowerCase().replace(/(?<=.)\.$/, '')

/** How the records of each type are read, and written as texts that can be compared. */
const readers = {
  A: (from, name) => from.resolve4(name),
  AAAA: (from, name) => from.resolve6(name),
  CNAME: async (from, name) => (await from.resolveCname(name)).map(host),
  MX: async (from, name) =>
    // A null MX (RFC 7505) has an empty name.
    (await from.resolveMx(name)).map(({ priority, exchange }) => `${priority} ${host(exchange) || '.'}`),
  NS: async (from, name) => (await from.resolveNs(name)).map(host),
  TXT: async (from, name) => (await from.resolveTxt(name)).map((chunks) => chunks.join('')),
} as const satisfies Readonly<
  Record<string, (from: promises.Resolver, name: string) => Promise<readonly string[]>>
>
export type RecordType = keyof typeof readers

/**
 * Creates the client of name servers, without a cache. It queries one server after the other until one answers, and those
 * that stayed silent once more. Each has its own resolver, since a SERVFAIL counts only if another server confirms it. A
 * timeout or a refusal never counts as an answer. It uses c-ares rather than `dns.lookup`, whose four threads a few
 * unresponsive name servers would block. So /etc/hosts has no effect.
 * @param servers addresses with optional ports; the system's if it is empty
 * @param timeoutMs for the first query to a server; the second gets twice as long
 * @throws if an address is invalid
 */
export function createDnsClient(servers: readonly string[], timeoutMs: number) {
  const addresses = (servers.length > 0 ? servers : new promises.Resolver().getServers()).slice(0, maxServers)
  let queried = addresses.map((address) =>
    [timeoutMs, 2 * timeoutMs].map((timeout) => {
      const resolver = new promises.Resolver({ timeout, tries: 1 })
      resolver.setServers([address])
      return resolver
    }),
  )
  let isClosed = false

  async function query<Record>(lookUp: LookUp<Record>, first = 0): Promise<DnsAnswer<Record>> {
    let failures = 0
    let lastCode = ''
    const start = first % Math.max(queried.length, 1)
    let remaining = [...queried.slice(start), ...queried.slice(0, start)]
    for (const round of [0, 1]) {
      const silent: typeof queried = []
      for (const server of remaining) {
        const resolver = server[round]
        if (resolver === undefined) continue
        try {
          return { kind: 'records', records: await lookUp(resolver) }
        } catch (error) {
          const code = readErrorCode(error)
          if (code === 'ENODATA') return { kind: 'no data' }
          if (code === 'ENOTFOUND') return { kind: 'no name' }
          lastCode = code || String(error)
          if (isClosed) return { kind: 'unknown', code: lastCode }
          if (code === 'ESERVFAIL') failures += 1
          if (failures === 2) return { kind: 'broken' }
          if (code !== 'ETIMEOUT') continue
          silent.push(server)
          // The next lookups begin with the servers that answer.
          queried = [...queried.filter((other) => other !== server), server]
        }
      }
      remaining = silent
    }
    return { kind: 'unknown', code: lastCode }
  }

  /** Rejects only with the signal's reason if it is aborted. c-ares cannot cancel a single query. */
  const queryOrAbort = <Record>(lookUp: LookUp<Record>, signal: AbortSignal | undefined, first?: number) =>
    signal === undefined ? query(lookUp, first) : abortable(query(lookUp, first), signal)

  return {
    soa: (name: string, signal?: AbortSignal): Promise<DnsAnswer<SoaRecord>> =>
      queryOrAbort(async (from) => [await from.resolveSoa(name)], signal),
    addresses: (name: string, family: 4 | 6, signal?: AbortSignal): Promise<DnsAnswer<RecordWithTtl>> =>
      queryOrAbort(
        (from) => (family === 4 ? from.resolve4(name, { ttl: true }) : from.resolve6(name, { ttl: true })),
        signal,
      ),
    /** The records of a type as texts in no order. @param first which of the servers to begin with */
    texts: (
      name: string,
      type: RecordType,
      first: number,
      signal?: AbortSignal,
    ): Promise<DnsAnswer<string>> => queryOrAbort((from) => readers[type](from, name), signal, first),
    close() {
      isClosed = true
      for (const resolver of queried.flat()) resolver.cancel()
    },
  }
}
