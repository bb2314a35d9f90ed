import type { Page } from 'playwright-core'
import { FetchError, type FetchFailure } from '../connect/fetch-error.ts'
import type {
  SeenRequest,
  Stop,
  StoredItem,
  Visited,
  VisitedStop,
  VisitFailed,
  VisitorKind,
} from './browser.ts'
import {
  choosePages,
  type FurtherPages,
  isSameSite,
  maxLinks,
  maxLinkTextLength,
  missingPageOf,
  type PageLink,
} from './choose-pages.ts'
import { createStorageRecord } from './record-storage.ts'
import { type OpenedPage, type PhaseRun, runPhase } from './run-phase.ts'

/** Shorter than for the start page, where every tracker of the site usually is. */
const furtherPageTimeouts = { loadMs: 8_000, quietMs: 1_000, idleMs: 4_000 }
const maxPathLength = 200

interface VisitResult {
  readonly outcome: Visited | VisitFailed
  readonly isStuck: boolean
}

interface StopResult extends VisitedStop {
  readonly requests: readonly SeenRequest[]
  readonly stored: readonly StoredItem[]
  readonly isStuck: boolean
}

/**
 * Visits the start page and, once it has opened and is idle, beside it further pages and the start page as other visitors,
 * one after the other, each in a context of its own and before consent. What they requested follows what the start page did.
 * @param pages known already; those that are missing are chosen from the links of the start page
 * @param visitStart calls its function with the idle start page
 */
export async function visitStops(
  run: Omit<PhaseRun, 'phase'>,
  pages: FurtherPages,
  visitStart: (onIdle: (opened: OpenedPage) => Promise<void>) => Promise<VisitResult>,
): Promise<VisitResult> {
  let others: Promise<readonly StopResult[]> = Promise.resolve([])
  const start = await visitStart(async ({ page }) => {
    // A page may have gone to an address that no other one is relative to, such as about:blank.
    const at = isWebAddress(page.url()) ? page.url() : run.url
    const chosen = choosePages(at, await readLinks(page))
    others = visitOthers(run, at, { ...chosen, ...pages })
  }).catch(async (error: unknown) => {
    await others
    throw error
  })
  const results = await others
  if (start.outcome.outcome === 'failed') return start
  const isStuck = start.isStuck || results.some((result) => result.isStuck)
  return { outcome: withStops(start.outcome, results), isStuck }
}

function withStops(start: Visited, results: readonly StopResult[]): Visited {
  const own: Stop = { page: 'start', visitor: 'desktop', path: pathOf(start.url) }
  // What one page stores before consent is listed once, also if another one has stored it, too.
  const early = new Map(
    [...start.stored, ...results.flatMap(({ stored }) => stored)]
      .filter(({ phase }) => phase === 'before')
      .toReversed()
      .map((item) => [keyOf(item), item]),
  )
  return {
    ...start,
    requests: [
      ...start.requests.map((request) => ({ ...request, stop: own })),
      ...results.flatMap(({ requests }) => requests),
    ],
    stored: [...[...early.values()].reverse(), ...start.stored.filter(({ phase }) => phase !== 'before')],
    stops: [
      { stop: own, problem: start.problems[0] ?? null },
      ...results.map(({ stop, problem }) => ({ stop, problem })),
    ],
  }
}

const keyOf = ({ kind, name, host }: StoredItem) => `${kind} ${host} ${name}`

/** Never rejects. */
async function visitOthers(
  run: Omit<PhaseRun, 'phase'>,
  start: string,
  { contact, content }: FurtherPages,
): Promise<readonly StopResult[]> {
  const plan: readonly (readonly [page: Stop['page'], visitor: VisitorKind, url: string | undefined])[] = [
    ['contact', 'desktop', contact],
    ['content', 'desktop', content],
    ['missing', 'desktop', missingPageOf(start)],
    ['start', 'english_mobile', run.url],
    ['start', 'privacy_signals', run.url],
  ]
  const results: StopResult[] = []
  for (const [page, visitor, url] of plan)
    if (url !== undefined)
      results.push(await visitStop(run, start, { page, visitor, path: pathOf(url) }, url))
  return results
}

async function visitStop(
  run: Omit<PhaseRun, 'phase'>,
  start: string,
  planned: Stop,
  url: string,
): Promise<StopResult> {
  const nothing = { requests: [], stored: [], isStuck: false }
  if (run.signal.aborted) return { ...nothing, stop: planned, problem: reasonOf(run.signal) }
  const storage = createStorageRecord()
  const { opened, leadsTo, endedAt, requests, problem, isStuck } = await runPhase(
    {
      ...run,
      url,
      visitor: planned.visitor,
      page: planned.page,
      timeouts: furtherPageTimeouts,
      phase: 'before',
    },
    ({ context, instruments }) => storage.add({ context, ...instruments }, 'before'),
  )
  const stop = { ...planned, path: opened === null ? planned.path : pathOf(opened) }
  // Scripts and elements may redirect as well, after the page has opened.
  const reached = endedAt !== null && isWebAddress(endedAt) ? endedAt : leadsTo
  // What another site requests says nothing about this one, even if it answers with an error.
  if (reached !== null && planned.page !== 'start' && !isSameSite(reached, start)) {
    const host = new URL(reached).hostname
    return { ...nothing, stop: planned, problem: { code: 'redirect_elsewhere', params: { host } }, isStuck }
  }
  return {
    stop,
    problem: problem ?? storage.problems()[0] ?? null,
    requests: requests.map((request) => ({ ...request, stop })),
    stored: storage.items(),
    isStuck,
  }
}

const isWebAddress = (url: string): boolean => /^https?:/.test(url)

/** Of a signal that was aborted with a failure. */
const reasonOf = ({ reason }: AbortSignal): FetchFailure =>
  reason instanceof FetchError ? reason.failure : { code: 'stopped' }

const pathOf = (url: string): string => {
  const { pathname = '/', search = '' } = URL.parse(url) ?? {}
  return (pathname + search).slice(0, maxPathLength)
}

/** Reads the links of a page, scripts' ones included. @returns none if the page leaves meanwhile */
async function readLinks(page: Page): Promise<readonly PageLink[]> {
  try {
    return await page.locator('a[href]').evaluateAll(collectLinks, { maxLinks, maxLinkTextLength })
  } catch {
    // Its visit goes on and reports what is wrong with it.
    return []
  }
}

/** Runs within the page without access to this module. */
function collectLinks(
  elements: readonly unknown[],
  limits: { readonly maxLinks: number; readonly maxLinkTextLength: number },
): PageLink[] {
  return (elements as readonly { readonly href: unknown; readonly textContent: string | null }[])
    .slice(0, limits.maxLinks)
    .flatMap(({ href, textContent }) =>
      typeof href === 'string' && href.length < 2_000
        ? [{ url: href, text: (textContent ?? '').trim().slice(0, limits.maxLinkTextLength) }]
        : [],
    )
}
