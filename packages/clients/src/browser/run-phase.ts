import { setTimeout as sleep } from 'node:timers/promises'
// Loading Playwright takes a third of the start of a program, so only `launch` does.
import type { BrowserContext, Page, Browser as Process } from 'playwright-core'
import { abortable } from '../connect/abortable.ts'
import { FetchError, type FetchFailure } from '../connect/fetch-error.ts'
import { browsePage } from './browse-page.ts'
import type { PageKind, Phase, SeenRequest, VisitorKind } from './browser.ts'
import type { EgressProxy } from './egress-proxy.ts'
import { type Instruments, openInstruments } from './instruments.ts'
import { type Recording, recordRequests } from './record-requests.ts'
import {
  closeTimeoutMs,
  createVisitLimit,
  guard,
  maximum,
  readFirstLine,
  toVisitFailure,
} from './visit-limits.ts'
import { blockMedia, contextOptionsOf, signalPrivacy } from './visitors.ts'

const scriptTimeoutMs = 5_000
/** A page is browsed after this long without a request. It need not be idle: what it requests is waited for afterwards. */
const quietBeforeBrowsingMs = 500
/** The time that a page gets to react to a visitor. */
const reactMs = 400
/** For a context whose visit should have ended before. */
const minCloseMs = 500

/** How long a page is waited for. */
export interface PageTimeouts {
  readonly loadMs: number
  /** A page is idle after this long without a request. */
  readonly quietMs: number
  /** After which a page counts as idle nevertheless. */
  readonly idleMs: number
}

const defaultTimeouts: PageTimeouts = { loadMs: 12_000, quietMs: 1_500, idleMs: 6_000 }

export interface PhaseRun {
  readonly process: Process
  readonly url: string
  readonly proxy: EgressProxy
  /** Because the proxy checks certificates. */
  readonly takesCertificates: boolean
  /** The phase of the first requests; null if they are not recorded. */
  readonly phase: Phase | null
  /** Of a further visit, which loads no films; the first page as the first visitor by default. */
  readonly page?: PageKind
  readonly visitor?: VisitorKind
  readonly timeouts?: PageTimeouts
  readonly signal: AbortSignal
  /** When the context must be closed, as `performance.now()` counts. */
  readonly endsAt: number
}

export interface PhaseResult<Result> {
  /** The page's address; null if it did not open. */
  readonly opened: string | null
  /** Where it led, also if that did not open; null if it was never requested. */
  readonly leadsTo: string | null
  /** The page's address at the end, also after redirects by scripts; null if there was no page. */
  readonly endedAt: string | null
  /** The result of `act`; null if it did not return. */
  readonly result: Result | null
  readonly requests: readonly SeenRequest[]
  /** Why the phase is incomplete. */
  readonly problem: FetchFailure | null
  /** Whether the context did not open or did not close, so that the process hangs. */
  readonly isStuck: boolean
}

export interface OpenedPage {
  readonly context: BrowserContext
  readonly page: Page
  readonly recording: Recording
  readonly instruments: Instruments
  /** Loads the page anew, without the requests that it makes when it is left. */
  readonly reopen: (phase: Phase) => Promise<void>
  /** Waits until the page makes no more requests, or for a limited time. @throws if its scripts hang */
  readonly waitUntilIdle: () => Promise<void>
  /** Moves the mouse and scrolls once the page has been quiet for a moment, and waits until it is idle. */
  readonly browse: () => Promise<void>
}

/**
 * Opens the page in a new context, waits until it is idle, and acts on it within the visit's limits. If its requests are recorded,
 * the page is browsed first.
 */
export async function runPhase<Result>(
  run: PhaseRun,
  act: (opened: OpenedPage) => Promise<Result>,
): Promise<PhaseResult<Result>> {
  const { process, url, proxy, phase, signal, visitor = 'desktop', timeouts = defaultTimeouts } = run
  const { end, bounds } = createVisitLimit(signal)
  let opening: Promise<BrowserContext> | null = null
  let recording: Recording | null = null
  let opened: string | null = null
  let leadsTo: string | null = null
  let address: () => string | null = () => null
  let result: Result | null = null
  let problem: FetchFailure | null = null
  try {
    opening = process.newContext(contextOf(run))
    const context = await abortable(opening, bounds)
    const page = await abortable(context.newPage(), bounds)
    address = () => page.url()
    guard(context, page, end)
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) leadsTo = request.url()
    })
    await abortable(signalPrivacy(context, visitor), bounds)
    if (run.page !== undefined) await abortable(blockMedia(context, page), bounds)
    const tooMany = () => end({ code: 'visit_too_many_requests', params: { max: maximum.requests } })
    const recorded = await abortable(recordRequests(context, page, maximum.requests, tooMany), bounds)
    recording = recorded
    const instruments = await abortable(openInstruments(context, page, recorded.session), bounds)
    recorded.enter(phase)
    const refusal = () => proxy.refusalOf(hostOf(recorded.requests(), url))
    opened = await abortable(load(page, run, timeouts.loadMs, refusal), bounds)
    const waitUntilIdle = () => waitForIdlePage(page, recorded, timeouts)
    const browse = async () => {
      const start = performance.now()
      const quietMs = Math.min(quietBeforeBrowsingMs, timeouts.quietMs)
      await waitForIdlePage(page, recorded, { ...timeouts, quietMs })
      const leftMs = timeouts.idleMs - (performance.now() - start)
      await browsePage(page, recorded.session, visitor === 'english_mobile')
      const idleMs = Math.max(leftMs, timeouts.quietMs)
      await waitForIdlePage(page, recorded, { ...timeouts, idleMs }, reactMs)
    }
    const reopen = async (next: Phase) => {
      await page.goto('about:blank')
      recorded.enter(next)
      await load(page, run, timeouts.loadMs, refusal)
      await browse()
    }
    // Banners are found while the page is still busy. Those of further pages are not answered.
    const search = run.page === undefined ? instruments.autoconsent.search() : null
    const settle = phase === null ? waitUntilIdle : browse
    await abortable(Promise.all([settle(), search]), bounds)
    const acting = act({ context, page, recording: recorded, instruments, reopen, waitUntilIdle, browse })
    result = await abortable(acting, bounds)
  } catch (error) {
    problem = toVisitFailure(bounds.aborted ? bounds.reason : error)
  }
  const requests = recording?.requests() ?? []
  // A page that was still loading counts as opened if it made other requests.
  if (opened === null && requests.some(({ url: asked }) => URL.parse(asked)?.href !== URL.parse(url)?.href))
    opened = bounds.aborted ? (leadsTo ?? url) : null
  return {
    opened,
    leadsTo,
    endedAt: address(),
    result,
    requests,
    problem,
    isStuck: opening !== null && !(await closes(opening, run.endsAt)),
  }
}

function contextOf({ process, proxy, takesCertificates, visitor = 'desktop' }: PhaseRun) {
  return {
    ...contextOptionsOf(visitor, process.version()),
    // Includes loopback.
    proxy: { server: proxy.address, bypass: '<-loopback>' },
    ignoreHTTPSErrors: takesCertificates,
    acceptDownloads: false,
    serviceWorkers: 'block' as const,
  }
}

/**
 * Returns the page's address.
 * @throws {FetchError} if it did not open
 */
async function load(
  page: Page,
  { url, page: kind }: PhaseRun,
  timeoutMs: number,
  refusal: () => FetchFailure | undefined,
): Promise<string> {
  try {
    const response = await page.goto(url, { waitUntil: 'load', timeout: timeoutMs })
    const status = response?.status() ?? 200
    // Some Chromiums show the proxy's refusal as a page.
    const refused = status === 502 ? refusal() : undefined
    const isExpected = kind === 'missing' && status < 500
    if (status >= 400 && !isExpected)
      throw new FetchError(refused ?? { code: 'visit_answered', params: { status } })
  } catch (error) {
    // A page that keeps loading is visited as it is.
    const isThere = isTimeout(error) && /^https?:/.test(page.url())
    if (error instanceof FetchError) throw error
    if (!isThere)
      throw new FetchError(whyNot(error) ?? refusal() ?? { code: 'visit_not_opened' }, { cause: error })
  }
  return page.url()
}

/** Whether it is Playwright's `errors.TimeoutError`. */
const isTimeout = (error: unknown) => error instanceof Error && error.name === 'TimeoutError'

/** The host of the last document, to which redirects have led. */
function hostOf(requests: readonly SeenRequest[], url: string): string {
  const documents = requests.filter(({ resourceType }) => resourceType === 'document')
  return URL.parse(documents.at(-1)?.url ?? url)?.host ?? ''
}

/** Returns Chromium's reason, or null if it says only that there was no response. */
function whyNot(error: unknown): FetchFailure | null {
  if (isTimeout(error)) return { code: 'visit_not_loaded' }
  const code = /net::(ERR_\w+)/.exec(readFirstLine(error))?.[1]
  if (code === 'ERR_TOO_MANY_REDIRECTS') return { code: 'visit_redirects_endless' }
  if (code === 'ERR_ABORTED' || /Download is starting/.test(readFirstLine(error)))
    return { code: 'visit_download' }
  return null
}

/** @param minMs waits for at least this long */
async function waitForIdlePage(
  page: Page,
  recording: Recording,
  { quietMs, idleMs }: Pick<PageTimeouts, 'quietMs' | 'idleMs'>,
  minMs = 0,
): Promise<void> {
  const start = performance.now()
  const isWaiting = () => {
    const waitedMs = performance.now() - start
    return waitedMs < minMs || (waitedMs < idleMs && recording.idleMs() < quietMs)
  }
  await checkScripts(page, recording)
  do {
    while (isWaiting()) await sleep(100)
    // On a busy machine, the page may have been too slow to make its next request.
    await checkScripts(page, recording)
  } while (isWaiting())
}

/** @throws {FetchError} if the page's scripts neither end nor request anything for a while */
async function checkScripts(page: Page, recording: Recording): Promise<void> {
  const ended = page.evaluate('1').then(
    () => true,
    (error: unknown) => {
      // Between two documents no script can run.
      if (page.isClosed()) throw error
      return true
    },
  )
  while (!(await Promise.race([ended, sleep(scriptTimeoutMs, false, { ref: false })])))
    if (recording.idleMs() >= scriptTimeoutMs) throw new FetchError({ code: 'visit_scripts_endless' })
}

/** Returns whether it opens, if it has not yet, and closes in time. */
async function closes(opening: Promise<BrowserContext>, endsAt: number): Promise<boolean> {
  // An ended process has closed it.
  const closed = opening
    .then((context) => context.close())
    .then(
      () => true,
      () => true,
    )
  const waitMs = Math.max(minCloseMs, Math.min(closeTimeoutMs, endsAt - performance.now()))
  return Promise.race([closed, sleep(waitMs, false, { ref: false })])
}
