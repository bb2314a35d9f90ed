import type { SoaRecord } from 'node:dns'
import { domainToASCII } from 'node:url'
import { getDomain } from 'tldts'
import { abortable } from '../connect/abortable.ts'
import type { Dns, DnsFailure, DnsResult, DnsSettings } from './dns.ts'
import { createServerQueries, type DnsAnswer } from './query-servers.ts'

/** Creates a client of name servers without a cache. */
export function openDns({ servers, timeoutMs = 2_000 }: DnsSettings): Dns {
  const queries = createServerQueries(servers, timeoutMs)
  const soa = (name: string) => queries.query<SoaRecord>(async (from) => [await from.resolveSoa(name)])
  const ipv4 = (name: string) => queries.query((from) => from.resolve4(name))
  const ipv6 = (name: string) => queries.query((from) => from.resolve6(name))

  return {
    async lookUp(fqdn, signal) {
      const name = domainToASCII(fqdn)
      // A host itself has no SOA record, or its alias leads to that of another zone.
      const domain = getDomain(name, { allowPrivateDomains: false }) ?? name
      const hosts = name === domain ? [name, `www.${name}`] : [name]
      const [zone, ...answers] = await orAbort(
        Promise.all([
          soa(domain),
          ...hosts.map(async (host) => ({ ipv4: await ipv4(host), ipv6: await ipv6(host) })),
        ]),
        signal,
      )
      return summarize(
        zone,
        answers.map((answer) => answer.ipv4),
        answers.map((answer) => answer.ipv6),
      )
    },
    async resolve(fqdn, signal) {
      const name = domainToASCII(fqdn)
      const [four, six] = await orAbort(Promise.all([ipv4(name), ipv6(name)]), signal)
      return summarize({ kind: 'no data' }, [four], [six])
    },
    async addresses(name, signal) {
      const answers = await orAbort(Promise.all([ipv4(name), ipv6(name)]), signal)
      const known = answers.every(({ kind }) => kind !== 'unknown' && kind !== 'broken')
      return known ? answers.flatMap(recordsOf) : null
    },
    close: queries.close,
  }
}

function summarize(
  zone: DnsAnswer<SoaRecord>,
  ipv4: readonly DnsAnswer<string>[],
  ipv6: readonly DnsAnswer<string>[],
): DnsResult {
  const mname = recordsOf(zone)[0]?.nsname.toLowerCase().replace(/\.$/, '') || null
  // Some servers fail for IPv6 if there is no such address, so that failures do not count if there is an IPv4 address.
  const addresses = [...new Set([...ipv4, ...ipv6].flatMap(recordsOf))]
  const needed = addresses.length > 0 ? [zone] : [zone, ...ipv4, ...ipv6]
  const unknown = unknownOf(needed)
  if (unknown !== null) return { outcome: 'unknown', reason: unknown }
  if (addresses.length > 0) return { outcome: 'found', mname, addresses, missing: unknownOf(ipv4) }
  return { outcome: 'nothing', mname }
}

const unknownOf = (answers: readonly DnsAnswer<unknown>[]): DnsFailure | null =>
  answers.find((answer) => answer.kind === 'unknown')?.reason ?? null

const recordsOf = <Record>(answer: DnsAnswer<Record>): readonly Record[] =>
  answer.kind === 'records' ? answer.records : []

/** c-ares cannot cancel a single query. */
const orAbort = <T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
  signal === undefined ? answer : abortable(answer, signal)
