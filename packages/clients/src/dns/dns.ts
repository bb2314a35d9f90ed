import { domainToASCII } from 'node:url'
import { getDomain } from 'tldts'
import { findByCode } from '../http/error-code.ts'
import { createDnsClient, type DnsAnswer, type RecordType } from './dns-client.ts'

export type { RecordType } from './dns-client.ts'

/** The domain that a host name was registered as or under, by the public suffix list; the name itself if there is none. */
export const registrableDomain = (name: string): string =>
  getDomain(name, { allowPrivateDomains: false }) ?? name

/**
 * Whether two hosts belong to the same party: to the same domain, by the public suffix list with the suffixes under which
 * companies give domains to others, such as github.io.
 */
export function isSameParty(a: string, b: string): boolean {
  const [one, other] = [a, b].map((name) => getDomain(name, { allowPrivateDomains: true }) ?? name)
  return one === other
}

/** Whether everyone may register names below a name, as below co.uk. */
export const isPublicSuffix = (name: string): boolean =>
  getDomain(name, { allowPrivateDomains: true }) === null

const dnsFailureCodes = {
  '': 'dns_no_server',
  EBADNAME: 'dns_bad_name',
  ETIMEOUT: 'dns_timeout',
  ECONNREFUSED: 'dns_unreachable',
  ESERVFAIL: 'dns_failure_unconfirmed',
  EREFUSED: 'dns_refused',
  ENOTIMP: 'dns_unsupported',
  EFORMERR: 'dns_question_rejected',
  EBADRESP: 'dns_answer_unreadable',
} as const

export type DnsFailure =
  | { readonly code: (typeof dnsFailureCodes)[keyof typeof dnsFailureCodes] }
  | { readonly code: 'dns_failed'; readonly params: { readonly detail: string } }

export type DnsResult =
  | {
      readonly outcome: 'found'
      readonly mname: string | null
      readonly addresses: readonly string[]
      /** Why there may be more addresses; null if these are all. */
      readonly missing: DnsFailure | null
    }
  /** The name does not exist, has no address, or its name servers fail. */
  | { readonly outcome: 'nothing'; readonly mname: string | null }
  | { readonly outcome: 'unknown'; readonly reason: DnsFailure }

export type RecordsResult =
  /** Sorted, without duplicates; empty if the name does not exist or has none of the type. */
  | { readonly outcome: 'answered'; readonly records: readonly string[] }
  | { readonly outcome: 'unknown'; readonly reason: DnsFailure }

export interface RecordsOptions {
  readonly signal?: AbortSignal
  /** Which of the servers is asked first, to compare their answers: the second one for 1. */
  readonly server?: number
}

export interface Dns {
  /**
   * Looks up the primary name server of a host's domain and the host's addresses; for a domain itself also those of its
   * www.
   * @throws the signal's reason if it is aborted
   */
  lookUp(fqdn: string, signal?: AbortSignal): Promise<DnsResult>
  /** Looks up a host's addresses only, so that `mname` is null. */
  resolve(fqdn: string, signal?: AbortSignal): Promise<DnsResult>
  /** Returns a host's IPv4 and IPv6 addresses, or null if they are unknown. */
  addresses(name: string, signal?: AbortSignal): Promise<readonly string[] | null>
  /**
   * Returns the records of a type that a name, or the name that it is an alias of, has. Names are in lower case and without a
   * final dot, an MX record is its preference and its host, a TXT record is one text.
   * @throws the signal's reason if it is aborted
   */
  records(name: string, type: RecordType, options?: RecordsOptions): Promise<RecordsResult>
  close(): void
}

interface DnsSettings {
  /** Addresses with optional ports; the system's if it is empty. */
  readonly servers: readonly string[]
  /** For the first query to a server; the second gets twice as long. */
  readonly timeoutMs?: number
}

/** Creates a client of name servers without a cache. */
export function openDns({ servers, timeoutMs = 2_000 }: DnsSettings): Dns {
  const client = createDnsClient(servers, timeoutMs)
  const resolveAddresses = async (names: readonly string[], family: 4 | 6, signal: AbortSignal | undefined) =>
    await Promise.all(names.map((name) => client.addresses(name, family, signal)))

  return {
    async lookUp(fqdn, signal) {
      const name = domainToASCII(fqdn)
      // A host itself has no SOA record, or its alias leads to that of another zone.
      const domain = registrableDomain(name)
      const hosts = name === domain ? [name, `www.${name}`] : [name]
      const [zone, ipv4, ipv6] = await Promise.all([
        client.soa(domain, signal),
        resolveAddresses(hosts, 4, signal),
        resolveAddresses(hosts, 6, signal),
      ])
      const mname = recordsOf(zone)[0]?.nsname.toLowerCase().replace(/\.$/, '') || null
      return summarize(mname, [zone], ipv4, ipv6)
    },
    async resolve(fqdn, signal) {
      const hosts = [domainToASCII(fqdn)]
      const [ipv4, ipv6] = await Promise.all([
        resolveAddresses(hosts, 4, signal),
        resolveAddresses(hosts, 6, signal),
      ])
      return summarize(null, [], ipv4, ipv6)
    },
    async addresses(name, signal) {
      const answers = await Promise.all([
        resolveAddresses([name], 4, signal),
        resolveAddresses([name], 6, signal),
      ])
      const known = answers.flat().every(({ kind }) => kind !== 'unknown' && kind !== 'broken')
      return known
        ? answers
            .flat()
            .flatMap(recordsOf)
            .map(({ address }) => address)
        : null
    },
    async records(name, type, { signal, server = 0 } = {}) {
      const answer = await client.texts(domainToASCII(name) || name, type, server, signal)
      if (answer.kind === 'unknown') return { outcome: 'unknown', reason: failureOf(answer.code) }
      // That the domain's own servers fail says nothing of its records.
      if (answer.kind === 'broken')
        return { outcome: 'unknown', reason: { code: 'dns_failed', params: { detail: 'SERVFAIL' } } }
      return { outcome: 'answered', records: [...new Set(recordsOf(answer))].toSorted() }
    },
    close: client.close,
  }
}

/**
 * Returns the name that visitors use alike: a domain's `www`, or of that the domain. Null for other hosts.
 * @param name in ASCII
 */
export function withOrWithoutWww(name: string): string | null {
  const domain = getDomain(name, { allowPrivateDomains: false })
  if (domain === null) return null
  if (name === domain) return `www.${name}`
  return name === `www.${domain}` ? domain : null
}

function summarize(
  mname: string | null,
  zone: readonly DnsAnswer<unknown>[],
  ipv4: readonly DnsAnswer<{ readonly address: string }>[],
  ipv6: readonly DnsAnswer<{ readonly address: string }>[],
): DnsResult {
  // Some servers fail for IPv6 if there is no such address, so that failures do not count if there is an IPv4 address.
  const addresses = [...new Set([...ipv4, ...ipv6].flatMap(recordsOf).map(({ address }) => address))]
  const unknown = findFailure(addresses.length > 0 ? zone : [...zone, ...ipv4, ...ipv6])
  if (unknown !== null) return { outcome: 'unknown', reason: unknown }
  if (addresses.length > 0) return { outcome: 'found', mname, addresses, missing: findFailure(ipv4) }
  return { outcome: 'nothing', mname }
}

const recordsOf = <Record>(answer: DnsAnswer<Record>): readonly Record[] =>
  answer.kind === 'records' ? answer.records : []

function findFailure(answers: readonly DnsAnswer<unknown>[]): DnsFailure | null {
  const found = answers.find((answer) => answer.kind === 'unknown')
  return found === undefined ? null : failureOf(found.code)
}

function failureOf(answered: string): DnsFailure {
  const code = findByCode(dnsFailureCodes, answered)
  return code ? { code } : { code: 'dns_failed', params: { detail: answered } }
}
