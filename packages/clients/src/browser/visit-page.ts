import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Browser as Process } from 'playwright-core'
import type { GuardedConnector } from '../connect/guarded-connector.ts'
import type { ConsentAction, SeenCookie, Visited, VisitFailed } from './browser.ts'
import type { FurtherPages } from './choose-pages.ts'
import { answerConsent, type ConsentAnswer } from './consent.ts'
import { type BrowserLink, startEgressProxy } from './egress-proxy.ts'
import { recordCookies } from './record-requests.ts'
import { type OpenedPage, type PhaseRun, runPhase } from './run-phase.ts'
import { closeTimeoutMs, createVisitLimit, maximum, toVisitFailure } from './visit-limits.ts'
import { visitStops } from './visit-stops.ts'

/** For the end of a visit: to close its contexts and its proxy. */
const endMs = closeTimeoutMs + 500
/** Waits for a banner that appears after the page is idle. */
const bannerRetries = 2
const bannerRetryMs = 1_000

export interface VisitSettings {
  readonly link: BrowserLink
  readonly connector: GuardedConnector
  readonly checksCertificates: boolean
  readonly pages: FurtherPages
  readonly maxMegabytes: number
  /** For the whole visit, to close its contexts included. */
  readonly deadlineMs: number
  readonly signal: AbortSignal
}

export interface VisitReport {
  readonly outcome: Visited | VisitFailed
  /** Whether the process hangs and must not be used again. */
  readonly isStuck: boolean
  /** Whether the process has ended. */
  readonly hasDied: boolean
}

/** Opens a page twice, to refuse and to accept consent, and further pages and as other visitors; never rejects. */
export async function visit(process: Process, url: string, settings: VisitSettings): Promise<VisitReport> {
  const { connector, link, checksCertificates, maxMegabytes, deadlineMs, signal } = settings
  const { end, bounds } = createVisitLimit(signal)
  const timer = setTimeout(() => end({ code: 'visit_timed_out' }), deadlineMs - endMs)
  let hasDied = false
  const died = () => {
    hasDied = true
    end({ code: 'browser_ended' })
  }
  process.on('disconnected', died)
  const proxy = await startEgressProxy(connector, {
    link,
    checksCertificates,
    maxBytes: maxMegabytes * 1_000_000,
    maxConnections: maximum.connections,
    onLimit: () => end({ code: 'visit_too_large', params: { megabytes: maxMegabytes } }),
  })
  try {
    const run = { process, url, proxy, takesCertificates: checksCertificates, signal: bounds }
    const { outcome, isStuck } = await visitStops(run, settings.pages, (onIdle) => runBothPhases(run, onIdle))
    return { outcome, isStuck, hasDied }
  } catch (error) {
    return { outcome: { outcome: 'failed', reason: toVisitFailure(error) }, isStuck: true, hasDied }
  } finally {
    clearTimeout(timer)
    process.off('disconnected', died)
    await proxy.close()
  }
}

async function runBothPhases(
  run: Omit<PhaseRun, 'phase'>,
  onIdle: (opened: OpenedPage) => Promise<void>,
): Promise<Omit<VisitReport, 'hasDied'>> {
  const cookies = new Map<string, SeenCookie>()
  const first = await runPhase({ ...run, phase: 'before' }, async (opened) => {
    await onIdle(opened)
    return refuse(opened, cookies)
  })
  if (first.opened === null) {
    const reason = first.problem ?? ({ code: 'visit_not_opened' } as const)
    return { outcome: { outcome: 'failed' as const, reason }, isStuck: first.isStuck }
  }
  const mayAccept = first.result?.mayAccept === true && !run.signal.aborted
  const second = mayAccept
    ? await runPhase({ ...run, phase: null }, (opened) => accept(opened, cookies))
    : null
  const isGone = second !== null && second.problem === null && second.result === null
  const problems = [
    first.problem,
    isDeepStrictEqual(second?.problem, first.problem) ? null : second?.problem,
    isGone ? ({ code: 'visit_banner_missing' } as const) : null,
  ]
  const outcome: Visited = {
    outcome: 'visited',
    url: first.opened,
    requests: [...first.requests, ...(second?.requests ?? [])],
    cookies: [...cookies.values()],
    consent: { refused: first.result?.refused ?? null, accepted: second?.result ?? null },
    problems: problems.flatMap((problem) => problem ?? []),
  }
  return { outcome, isStuck: first.isStuck || second?.isStuck === true }
}

interface Refused {
  readonly refused: ConsentAction | null
  /** Whether consent can also be accepted. */
  readonly mayAccept: boolean
}

async function refuse(opened: OpenedPage, cookies: Map<string, SeenCookie>): Promise<Refused> {
  const { context, page, recording, waitUntilIdle } = opened
  await recordCookies(context, 'before', cookies)
  const way = await findChoice(opened, 'refuse')
  const mayAccept = (await answerConsent(page, 'accept', true)) !== null
  if (way === null) return { refused: null, mayAccept }
  recording.enter('refused')
  const refused = await answerConsent(page, 'refuse')
  await waitUntilIdle()
  await recordCookies(context, 'refused', cookies)
  return { refused, mayAccept }
}

async function accept(opened: OpenedPage, cookies: Map<string, SeenCookie>): Promise<ConsentAction | null> {
  const { context, page, recording, waitUntilIdle } = opened
  if ((await findChoice(opened, 'accept')) === null) return null
  recording.enter('accepted')
  const accepted = await answerConsent(page, 'accept')
  await waitUntilIdle()
  await recordCookies(context, 'accepted', cookies)
  return accepted
}

async function findChoice({ page }: OpenedPage, answer: ConsentAnswer): Promise<ConsentAction | null> {
  for (let attempt = 0; ; attempt++) {
    const way = await answerConsent(page, answer, true)
    if (way !== null || attempt === bannerRetries) return way
    await sleep(bannerRetryMs)
  }
}
