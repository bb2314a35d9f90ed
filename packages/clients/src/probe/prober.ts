/** Looks at webs as a visitor's browser would, one request each. */
export interface Prober {
  /**
   * GET of `https://<host>/`, or of `http://<host>/` where nothing listens on 443; redirects are not followed. It never
   * rejects: whatever goes wrong is why there is no status.
   * @param host a host name in its ASCII form
   * @param signal ends it early, with the reason "stopped"
   */
  probe(host: string, signal?: AbortSignal): Promise<Probed>
  close(): Promise<void>
}

export interface Probed {
  readonly startedAt: Date
  /** Null where no answer came. */
  readonly status: number | null
  /** Why not, in a sentence without its full stop; null where one came. */
  readonly reason: string | null
  /** From the start to the end of the answer's header, or to the failure. */
  readonly milliseconds: number
  /** Only where the handshake was a full one, at least once an hour for each host. */
  readonly certificate: Certificate | null
}

export interface Certificate {
  /** Its issuer's organisation, or the issuer's name where that says none. */
  readonly authority: string
  readonly expiration: Date
}

export interface ProberSettings {
  /** curl's `--connect-to`: HOST1:PORT1:HOST2:PORT2, separated by commas. What is reached by it is exempt of the check of addresses. */
  readonly connectTo?: string
  /** Networks (CIDR) that may be reached although they are private. */
  readonly allowNetworks?: readonly string[]
  /** Name servers, as Node's `setServers` takes them, in place of the system's. */
  readonly dnsServers?: readonly string[]
  /** Authorities that are trusted besides Node's own, in PEM. */
  readonly authorities?: readonly string[]
  /** For all of a probe, in milliseconds. */
  readonly deadline?: number
  /** Where webs listen, unless CONNECT_TO says otherwise: 443 and 80. */
  readonly ports?: { readonly secure: number; readonly plain: number }
  /** Whether later probes of a host may resume its TLS session, and so show no certificate; true unless told otherwise. */
  readonly resumes?: boolean
  /** The clock: milliseconds since 1970. */
  readonly now?: () => number
}
