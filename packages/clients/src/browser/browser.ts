import type { FetchFailure } from '../connect/fetch-error.ts'
import type { PageFetcherSettings } from '../page/page-fetcher.ts'
import type { BrowserProtection, BrowserProtectionSettings } from './browser-protection.ts'

export type { BrowserProtection }

/** Whether the visitor has not answered yet, refused all, accepted all, or withdrawn what was accepted. */
export const phases = ['before', 'refused', 'accepted', 'withdrawn'] as const
export type Phase = (typeof phases)[number]

/** Opens pages as a visitor does and records their requests. */
export interface Browser {
  /**
   * Opens a page and refuses consent, then accepts it in a second, separate context. Never rejects.
   * @param url http or https
   */
  visit(url: string, options?: VisitOptions): Promise<Visited | VisitFailed>
  /** Prints an HTML document as PDF, without scripts and without a network. Never rejects. */
  print(html: string, signal?: AbortSignal): Promise<Printed | VisitFailed>
  /** Ends visits and the browser's process. */
  close(): Promise<void>
}

export interface VisitOptions {
  /** For the whole visit, including the wait for its turn; 40 s by default. */
  readonly deadlineMs?: number
  /** Ends the visit early with the code `stopped`. */
  readonly signal?: AbortSignal
}

export interface Printed {
  readonly outcome: 'printed'
  readonly pdf: Buffer
}

export interface Visited {
  readonly outcome: 'visited'
  /** The version of Chromium. */
  readonly browser?: string
  /** After redirects. */
  readonly url: string
  /** In the order of their start, without those repeated before accepting. */
  readonly requests: readonly SeenRequest[]
  /** Cookies after each phase, those of other hosts included. */
  readonly cookies: readonly SeenCookie[]
  readonly consent: {
    /** Null if it could not be refused. */
    readonly refused: ConsentAction | null
    readonly accepted: ConsentAction | null
  }
  /** Why the visit is incomplete. */
  readonly problems: readonly FetchFailure[]
}

export interface VisitFailed {
  readonly outcome: 'failed'
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
export interface ConsentAction {
  /** The consent manager's name; null for a banner recognized by its labels. */
  readonly manager: string | null
  /** The manager's function or a button. */
  readonly way: 'call' | 'button'
}

export interface BrowserSettings extends PageFetcherSettings, BrowserProtectionSettings {
  /** On the machine that runs the browser. */
  readonly executable: string
  /** Concurrent visits. */
  readonly atOnce?: number
  /** Visits after which the process is replaced, since its memory grows. */
  readonly visitsOfProcess?: number
  /** Called when the browser has started for the first time, or with another protection than before. */
  readonly onStart?: (protection: BrowserProtection) => void
}
