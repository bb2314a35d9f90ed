/** What name servers say of a domain. */
export type Looked =
  /** It exists and leads somewhere. */
  | {
      readonly outcome: 'found'
      readonly mname: string | null
      readonly addresses: readonly string[]
      /** Why there may be more addresses, which could not be asked for; null where these are all. */
      readonly missing: string | null
    }
  /** They answered, and there is nothing: no such name, no address, or name servers that fail. */
  | { readonly outcome: 'nothing'; readonly mname: string | null; readonly reason: string }
  /** They could not be asked: nothing is known that was not known before. */
  | { readonly outcome: 'unknown'; readonly reason: string }

export interface Dns {
  /**
   * Asks for the primary name server of the domain that a host name lies in, and for the name's own addresses (IPv4 and
   * IPv6), with those of its www where it is a domain itself.
   * @param fqdn in its ASCII form
   * @throws the signal's reason where it is aborted
   */
  lookUp(fqdn: string, signal?: AbortSignal): Promise<Looked>
  /** Asks for the addresses of a host name alone, without what its zone or its www says; so it finds no mname. */
  resolve(fqdn: string, signal?: AbortSignal): Promise<Looked>
  /**
   * Addresses of a name, of both families.
   * @returns null where they could not be learned
   */
  addresses(name: string, signal?: AbortSignal): Promise<readonly string[] | null>
  close(): void
}

export interface DnsSettings {
  /** Addresses, with ports where those are not 53; the system's where there are none. */
  readonly servers: readonly string[]
  /** Milliseconds for a first question to a server, 2,000 unless told otherwise; the second gets twice as long. */
  readonly timeout?: number
}
