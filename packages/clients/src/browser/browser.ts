import type { FetchFailure } from '../connect/fetch-error.ts'
import type { PageFetcherSettings } from '../page/page-fetcher.ts'

/** Whether the visitor has not answered yet, refused all, or accepted all. */
export const phases = ['before', 'refused', 'accepted'] as const
export type Phase = (typeof phases)[number]

/** Opens pages as a visitor does and records their requests. */
export interface Browser {
  /**
   * Opens a page and refuses consent, then accepts it in a second, separate context. Never rejects.
   * @param url http or https
   */
  visit(url: string, options?: VisitOptions): Promise<Visited | Unvisited>
  /** Ends visits and the browser's process. */
  close(): Promise<void>
}

export interface VisitOptions {
  /** For the whole visit, including the wait for its turn; 40 s by default. */
  readonly deadlineMs?: number
  /** Ends the visit early with the code `stopped`. */
  readonly signal?: AbortSignal
}

export interface Visited {
  readonly outcome: 'visited'
  /** After redirects. */
  readonly url: string
  /** In the order of their start, without those repeated before accepting. */
  readonly requests: readonly SeenRequest[]
  /** Cookies after each phase, those of other hosts included. */
  readonly cookies: readonly SeenCookie[]
  readonly consent: {
    /** Null if it could not be refused. */
    readonly refused: Choice | null
    readonly accepted: Choice | null
  }
  /** Why the visit is incomplete. */
  readonly problems: readonly FetchFailure[]
}

export interface Unvisited {
  readonly outcome: 'unseen'
  readonly reason: FetchFailure
}

export interface SeenRequest {
  readonly url: string
  readonly method: string
  /** Chromium's type: document, script, image, ping, fetch, websocket, … */
  readonly resourceType: string
  readonly phase: Phase
  /** The script or page that made the request, if known. */
  readonly initiator: string | null
  /** The beginning of the request's body. */
  readonly body: string | null
}

export interface SeenCookie {
  readonly name: string
  readonly phase: Phase
}

/** How consent was refused or accepted. */
export interface Choice {
  /** The consent manager's name; null for a banner recognized by its labels. */
  readonly manager: string | null
  /** The manager's function or a button. */
  readonly way: 'call' | 'button'
}

export interface BrowserSettings extends PageFetcherSettings {
  readonly executable: string
  /** Concurrent visits. */
  readonly atOnce?: number
  /** Visits after which the process is replaced, since its memory grows. */
  readonly visitsOfProcess?: number
}
