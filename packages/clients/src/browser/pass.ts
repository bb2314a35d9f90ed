import { setTimeout as sleep } from 'node:timers/promises'
import { type BrowserContext, errors, type Page, type Browser as Process } from 'playwright-core'
import { ProbeFailure } from '../probe/failure.ts'
import { within } from '../probe/within.ts'
import { guard, limitOf, most, reasonOf } from './bounds.ts'
import type { Phase, SeenRequest } from './browser.ts'
import type { Forwarding } from './forwarding.ts'
import { type Recording, record } from './recording.ts'

/** In milliseconds: for a page to load, for its scripts to answer, for its context to close. */
const patience = { load: 12_000, answer: 5_000, close: 3_000 }
/** A page is at rest when it has asked for nothing for so long; one that never rests is not waited for any longer. */
const rest = { still: 1_500, longest: 6_000 }

export interface Passing {
  readonly process: Process
  readonly url: string
  readonly forwarding: Forwarding
  /** Takes certificates as they come, because the forwarding checks them. */
  readonly takesCertificates: boolean
  /** What is asked for from the start belongs to it; null: is not kept. */
  readonly phase: Phase | null
  readonly signal: AbortSignal
}

export interface Passed<Did> {
  /** Where the page was; null where it did not open. */
  readonly opened: string | null
  /** Null where it did not get that far. */
  readonly did: Did | null
  readonly requests: readonly SeenRequest[]
  /** Why not all was done; null where it was. */
  readonly problem: string | null
  /** Whether the context did not close: something in the process hangs. */
  readonly isStuck: boolean
}

export interface Opened {
  readonly context: BrowserContext
  readonly page: Page
  readonly recording: Recording
  /** Waits until the page rests, or for as long as that is waited for. @throws where its scripts hang */
  readonly settle: () => Promise<void>
}

/**
 * Opens the page in a context of its own, which knows nothing of any other, waits until it rests, and does something
 * there, for as long as the page keeps within its bounds.
 */
export async function pass<Did>(
  passing: Passing,
  act: (opened: Opened) => Promise<Did>,
): Promise<Passed<Did>> {
  const { process, url, forwarding, phase, signal } = passing
  const { end, bounds } = limitOf(signal)
  let context: BrowserContext | null = null
  let recording: Recording | null = null
  let opened: string | null = null
  let did: Did | null = null
  let problem: string | null = null
  try {
    context = await within(process.newContext(contextOf(passing)), bounds)
    const page = await within(context.newPage(), bounds)
    guard(context, page, end)
    const tooMany = () => end(`it makes more than ${most.requests} requests`)
    recording = await within(record(context, page, most.requests, tooMany), bounds)
    recording.enter(phase)
    const { requests: asked } = recording
    const loading = load(page, url, () => forwarding.refusalOf(hostOf(asked(), url))).then((address) => {
      opened = address
    })
    await within(loading, bounds)
    const settle = () => rested(page, recording)
    await within(settle(), bounds)
    did = await within(act({ context, page, recording, settle }), bounds)
  } catch (error) {
    problem = reasonOf(bounds.aborted ? bounds.reason : error)
  }
  const requests = recording?.requests() ?? []
  // A page that was never done loading has opened all the same where it asked for more than itself.
  if (opened === null && requests.some(({ url: asked }) => URL.parse(asked)?.href !== URL.parse(url)?.href))
    opened = bounds.aborted ? url : null
  return { opened, did, requests, problem, isStuck: context !== null && !(await closes(context)) }
}

function contextOf({ process, forwarding, takesCertificates }: Passing) {
  const version = process.version().split('.')[0] ?? ''
  return {
    // Loopback too: what is not said to go around a proxy does not.
    proxy: { server: forwarding.address, bypass: '<-loopback>' },
    ignoreHTTPSErrors: takesCertificates,
    acceptDownloads: false,
    serviceWorkers: 'block' as const,
    // As the page fetcher comes: consent managers and trackers treat robots otherwise.
    userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`,
    locale: 'de-DE',
    timezoneId: 'Europe/Rome',
    viewport: { width: 1366, height: 900 },
  }
}

/**
 * @returns where the page is
 * @throws {ProbeFailure} with why it did not open
 */
async function load(page: Page, url: string, refusal: () => string | undefined): Promise<string> {
  try {
    const answer = await page.goto(url, { waitUntil: 'load', timeout: patience.load })
    const status = answer?.status() ?? 200
    if (status >= 400) throw new ProbeFailure(`it answered ${status}`)
  } catch (error) {
    // One that is there and goes on loading is looked at as it is.
    const isThere = error instanceof errors.TimeoutError && /^https?:/.test(page.url())
    if (error instanceof ProbeFailure) throw error
    if (!isThere)
      throw new ProbeFailure(whyNot(error) ?? refusal() ?? 'the browser did not open it', { cause: error })
  }
  return page.url()
}

/** The host that was asked for a document last: where redirects have led. */
function hostOf(requests: readonly SeenRequest[], url: string): string {
  const documents = requests.filter(({ resourceType }) => resourceType === 'document')
  return URL.parse(documents.at(-1)?.url ?? url)?.host ?? ''
}

/** What Chromium says, where that tells more than that there was no answer. */
function whyNot(error: unknown): string | null {
  if (error instanceof errors.TimeoutError) return 'it did not load'
  const code = /net::(ERR_\w+)/.exec(reasonOf(error))?.[1]
  if (code === 'ERR_TOO_MANY_REDIRECTS') return 'it redirects without end'
  if (code === 'ERR_ABORTED' || /Download is starting/.test(reasonOf(error)))
    return 'it is a download and no page'
  return null
}

async function rested(page: Page, recording: Recording | null): Promise<void> {
  const until = performance.now() + rest.longest
  const answers = async () => {
    const timeout = AbortSignal.timeout(patience.answer)
    try {
      await within(page.evaluate('1'), timeout)
    } catch (error) {
      if (timeout.aborted) throw new ProbeFailure('its scripts come to no end', { cause: error })
      // Between two documents there is nobody to ask.
      if (page.isClosed()) throw error
    }
  }
  await answers()
  while (performance.now() < until && (recording?.stillFor() ?? rest.still) < rest.still) await sleep(100)
  await answers()
}

/** @returns false where it does not within its time */
async function closes(context: BrowserContext): Promise<boolean> {
  const closed = context.close().then(
    () => true,
    // Whoever has ended is closed as well.
    () => true,
  )
  return await Promise.race([closed, sleep(patience.close, false, { ref: false })])
}
