export const dnsFailureCodes = {
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

/** Why name servers could not be queried. */
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
  /** The name servers could not be queried. */
  | { readonly outcome: 'unknown'; readonly reason: DnsFailure }

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
  close(): void
}

export interface DnsSettings {
  /** Addresses with optional ports; the system's if it is empty. */
  readonly servers: readonly string[]
  /** For the first query to a server; the second gets twice as long. */
  readonly timeoutMs?: number
}
