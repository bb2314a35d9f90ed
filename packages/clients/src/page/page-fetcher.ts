/** Reads pages and their parts as a visitor's browser would, without running anything of them. */
export interface PageFetcher {
  /** Opens connections that the addresses asked for on it share; to be ended. */
  visit(): Visit
  close(): void
}

export interface Visit {
  /**
   * GET, redirects followed. It never rejects: whatever goes wrong is why nothing was seen.
   * @param url http or https
   */
  get(url: string, asking?: Asking): Promise<Seen>
  end(): Promise<void>
}

export interface Asking {
  readonly headers?: Readonly<Record<string, string>>
  /** For all of it, redirects included, in milliseconds; 10 s unless told otherwise. */
  readonly deadline?: number
  /** Ends it early, with the reason "stopped". */
  readonly signal?: AbortSignal
}

export type Seen = Fetched | Unseen

export interface Fetched {
  readonly outcome: 'fetched'
  /** Where it was in the end. */
  readonly url: string
  readonly status: number
  /** Without its parameters, in lower case; empty where none was told. */
  readonly contentType: string
  readonly text: string
  /** Whether there was more than is read. */
  readonly cut: boolean
  /** The names of the cookies that were set on the way. */
  readonly cookies: readonly string[]
}

export interface Unseen {
  readonly outcome: 'unseen'
  /** In a sentence without its full stop. */
  readonly reason: string
  /** Whether nothing listens there. */
  readonly refused: boolean
}

export interface PageFetcherSettings {
  /** curl's `--connect-to`; what is reached by it is exempt of the check of addresses. */
  readonly connectTo?: string
  /** Networks (CIDR) that may be reached although they are private. */
  readonly allowNetworks?: readonly string[]
  /** Name servers, as Node's `setServers` takes them, in place of the system's. */
  readonly dnsServers?: readonly string[]
  /** Authorities that are trusted besides Node's own, in PEM. */
  readonly authorities?: readonly string[]
  /** The clock: milliseconds since 1970. */
  readonly now?: () => number
}
