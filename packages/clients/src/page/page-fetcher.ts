import type { FetchFailure } from '../connect/fetch-error.ts'
import type { ConnectSettings } from '../connect/host-connector.ts'

/** Fetches pages and their parts as a browser would, without running them. */
export interface PageFetcher {
  /** Starts a visit, whose requests share connections until it ends. */
  visit(): Visit
  close(): void
}

export interface Visit {
  /**
   * Follows redirects and never rejects.
   * @param url http or https
   */
  get(url: string, options?: FetchOptions): Promise<FetchOutcome>
  end(): Promise<void>
}

export interface FetchOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Redirects included; 10 s by default. */
  readonly deadlineMs?: number
  /** Ends it early with the code `stopped`. */
  readonly signal?: AbortSignal
}

export type FetchOutcome = Fetched | Unseen

export interface Fetched {
  readonly outcome: 'fetched'
  /** After redirects. */
  readonly url: string
  readonly status: number
  /** Without parameters, in lower case; empty if there is none. */
  readonly contentType: string
  readonly text: string
  /** Whether the body was larger than the limit. */
  readonly cut: boolean
  /** Names of the cookies that were set, also by redirects. */
  readonly cookies: readonly string[]
}

export interface Unseen {
  readonly outcome: 'unseen'
  readonly reason: FetchFailure
  /** Whether the connection was refused. */
  readonly refused: boolean
}

export interface PageFetcherSettings extends ConnectSettings {
  /** Certificate authorities in PEM that are trusted besides Node's own. */
  readonly authorities?: readonly string[]
}
