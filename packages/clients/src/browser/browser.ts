import type { PageFetcherSettings } from '../page/index.ts'

/** What a visitor has said so far: nothing yet, no to all, or yes to all. */
export const phases = ['before', 'refused', 'accepted'] as const
export type Phase = (typeof phases)[number]

/** Opens pages as a visitor does, and writes down what they ask for. */
export interface Browser {
  /**
   * Opens a page without having consented, then refuses what it asks consent for; in a second context, which knows
   * nothing of the first, accepts it. It never rejects: whatever goes wrong is a problem, or why nothing was seen.
   * @param url http or https
   */
  visit(url: string, asking?: Visiting): Promise<Visited | Unvisited>
  /** Ends visits and the browser's process. */
  close(): Promise<void>
}

export interface Visiting {
  /** For all of it, in milliseconds, waiting for its turn included; 40 s unless told otherwise. */
  readonly deadline?: number
  /** Ends it early, with the reason "stopped". */
  readonly signal?: AbortSignal
}

export interface Visited {
  readonly outcome: 'visited'
  /** Where the page was in the end. */
  readonly url: string
  /** In the order in which they were begun; what is asked for again while accepting is left out. */
  readonly requests: readonly SeenRequest[]
  /** The names of the cookies that there were after each phase, those of others' hosts included. */
  readonly cookies: readonly SeenCookie[]
  readonly consent: {
    /** Null where it could not be refused. */
    readonly refused: Choice | null
    readonly accepted: Choice | null
  }
  /** What was left undone, and why, in sentences. */
  readonly problems: readonly string[]
}

export interface Unvisited {
  readonly outcome: 'unseen'
  /** In a sentence without its full stop. */
  readonly reason: string
}

export interface SeenRequest {
  readonly url: string
  readonly method: string
  /** Chromium's: document, script, image, ping, fetch, websocket, … */
  readonly resourceType: string
  readonly phase: Phase
  /** The script or page that asked for it, where the browser knows. */
  readonly initiator: string | null
  /** The beginning of what was sent as text. */
  readonly body: string | null
}

export interface SeenCookie {
  readonly name: string
  readonly phase: Phase
}

/** How consent was refused or given. */
export interface Choice {
  /** The consent manager, by its name; null where a banner told by its words alone. */
  readonly manager: string | null
  /** By the manager's own function, or by a button. */
  readonly way: 'call' | 'button'
}

export interface BrowserSettings extends PageFetcherSettings {
  /** The path of a Chromium. */
  readonly executable: string
  /** Visits at a time. */
  readonly atOnce?: number
  /** After so many visits a new process takes over: what pages leave behind in one grows. */
  readonly visitsOfProcess?: number
}
