import type { FetchFailure } from '../connect/fetch-error.ts'
import type { PageFetcherSettings } from '../page/page-fetcher.ts'
import type { BrowserProtection, BrowserProtectionSettings } from './browser-protection.ts'
import type { FurtherPages } from './choose-pages.ts'
import type { StoredKind } from './watch-setters.ts'

export type { BrowserProtection }

/** Whether the visitor has not answered yet, refused all, accepted all, or withdrawn what was accepted. */
export const phases = ['before', 'refused', 'accepted', 'withdrawn'] as const
export type Phase = (typeof phases)[number]

/** A site's start page, a page of its content, one for contact or bookings, and one that does not exist. */
export const pageKinds = ['start', 'content', 'contact', 'missing'] as const
export type PageKind = (typeof pageKinds)[number]

/**
 * A German one at a desktop, an English one with a phone, and the German one with Do Not Track and Global Privacy Control.
 */
export const visitorKinds = ['desktop', 'english_mobile', 'privacy_signals'] as const
export type VisitorKind = (typeof visitorKinds)[number]

/** A page as one visitor sees it. */
export interface Stop {
  readonly page: PageKind
  readonly visitor: VisitorKind
  /** With its parameters, after redirects. */
  readonly path: string
}

export interface VisitedStop {
  readonly stop: Stop
  /** Why it was not visited, or not completely. */
  readonly problem: FetchFailure | null
}

/** Opens pages as a visitor does and records their requests. */
export interface Browser {
  /**
   * Opens a page, refuses consent and opens it again, then accepts consent in a second, separate context and withdraws it
   * again. Besides, it opens further pages of the site, and the first one as other visitors. Never rejects.
   * @param url http or https
   */
  visit(url: string, options?: VisitOptions): Promise<Visited | VisitFailed>
  /** Prints an HTML document as PDF, without scripts and without a network. Never rejects. */
  print(html: string, signal?: AbortSignal): Promise<Printed | VisitFailed>
  /** Ends visits and the browser's process. */
  close(): Promise<void>
}

export interface VisitOptions {
  /** For the whole visit and the wait for its turn, beside the budget, which begins with its turn; 90 s by default. */
  readonly deadlineMs?: number
  /** Further pages that are known already; others are chosen from the links of the first one. */
  readonly pages?: FurtherPages
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
  /** After each phase, by the page and its first frames; cookies of other hosts included. */
  readonly stored: readonly StoredItem[]
  /** Consent strings at the end of each phase. */
  readonly tcStrings: readonly SeenTcString[]
  /** Of the window at the end of each phase, as JPEG. */
  readonly screenshots: readonly PhaseScreenshot[]
  /** The phases of which all was seen: what they do not show is not there. */
  readonly collected: readonly Phase[]
  readonly consent: {
    /** Null if it was not refused. */
    readonly refused: ConsentAction | null
    readonly accepted: ConsentAction | null
    /** After it was accepted; the page was to be opened again then. */
    readonly withdrawn: ConsentAction | null
  }
  /** Phases to which every known way was tried. For the others it is unknown whether there is one. */
  readonly tried?: readonly Phase[]
  /** Why the visit of the first page is incomplete. */
  readonly problems: readonly FetchFailure[]
  /** Pages and visitors, the first page as the first visitor first; without those that it did not come to. */
  readonly stops?: readonly VisitedStop[]
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
  /** Where the request was made; the first page if unknown. */
  readonly stop?: Stop
  /** The script or page that made the request, if known. */
  readonly initiator: string | null
  /** The beginning of the request's body. */
  readonly body: string | null
}

export interface StoredItem {
  /**
   * In which it was first seen in its context: without and after refusal in one, after consent in the other. Items of the
   * phase `withdrawn` are those that were there then, but not before consent.
   */
  readonly phase: Phase
  readonly kind: StoredKind
  /** A cookie's name, a key, a database's name, or the address of a worker; at most 200 characters. */
  readonly name: string
  /** A cookie's domain, otherwise the host of the page or frame. */
  readonly host: string
  /** Null if it ends with the session, or never. */
  readonly lifetimeSeconds: number | null
  /** The address of the script or response that set it, if known. */
  readonly setBy: string | null
}

/** Not parsed. */
export interface SeenTcString {
  readonly phase: Phase
  readonly tcString: string
}

export interface PhaseScreenshot {
  readonly phase: Phase
  readonly image: Buffer
}

/** How consent was refused or accepted. */
export interface ConsentAction {
  /** The consent manager's name; null for a banner recognized by its labels. */
  readonly manager: string | null
  /** The manager's function or a button. */
  readonly way: 'call' | 'button'
}

export interface VisitBudget {
  /** From its turn until its contexts are closed; 45 by default. */
  readonly seconds: number
  /** Sent and received by all its pages, as transferred; 100 by default. */
  readonly megabytes: number
}

export interface BrowserSettings extends PageFetcherSettings, BrowserProtectionSettings {
  /** On the machine that runs the browser. */
  readonly executable: string
  /** Concurrent visits; two by default. */
  readonly atOnce?: number
  /** Of each visit. */
  readonly budget?: Partial<VisitBudget>
  /** Visits after which the process is replaced, since its memory grows. */
  readonly visitsOfProcess?: number
  /** Called when the browser has started for the first time, or with another protection than before. */
  readonly onStart?: (protection: BrowserProtection) => void
}
