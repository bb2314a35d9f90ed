import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Browser as Process } from 'playwright-core'
import type { FetchFailure } from '../connect/fetch-error.ts'
import type { GuardedConnector } from '../connect/guarded-connector.ts'
import type { ConsentAction, Phase, Visited, VisitFailed } from './browser.ts'
import type { FurtherPages } from './choose-pages.ts'
import { createEvidence, type Evidence } from './collect-evidence.ts'
import { answerBanner, answerConsent, type ConsentAnswer, findConsentWay } from './consent.ts'
import { digestStorage, settleMs } from './digest-storage.ts'
import { type BrowserLink, type EgressProxy, startEgressProxy } from './egress-proxy.ts'
import { type OpenedPage, type PhaseRun, runPhase } from './run-phase.ts'
import { closeTimeoutMs, createVisitLimit, maximum, toVisitFailure } from './visit-limits.ts'
import { visitStops } from './visit-stops.ts'
import { withdrawConsent } from './withdraw.ts'

/** For the end of a visit: to close its contexts and its proxy, which a busy machine notices late. */
const endMs = closeTimeoutMs + 1_000
/** The time that it takes to notice the end of a process, whose pages close first. */
const endNoticeMs = 1_000
/** Waits for a banner that appears after the page is idle. */
const bannerRetries = 2
const bannerRetryMs = 1_000
/** For the page to be opened once more, after a refusal or a withdrawal. With less time left, it is not. */
const minReopenMs = 8_000

export interface VisitSettings {
  readonly link: BrowserLink
  readonly connector: GuardedConnector
  readonly checksCertificates: boolean
  readonly pages: FurtherPages
  readonly maxMegabytes: number
  /** When the whole visit has ended and its contexts are closed, as `performance.now()` counts. */
  readonly endsAt: number
  readonly signal: AbortSignal
}

export interface VisitReport {
  readonly outcome: Visited | VisitFailed
  /** Whether the process hangs and must not be used again. */
  readonly isStuck: boolean
  /** Whether the process has ended. */
  readonly hasDied: boolean
}

/**
 * Opens a page twice, to refuse consent, and to accept and withdraw it, and further pages and as other visitors; never rejects.
 */
export async function visit(process: Process, url: string, settings: VisitSettings): Promise<VisitReport> {
  const { connector, link, checksCertificates, maxMegabytes, endsAt, signal } = settings
  const { end, bounds } = createVisitLimit(signal)
  const until = endsAt - endMs
  const leftMs = Math.max(0, until - performance.now())
  const timer = setTimeout(() => end({ code: 'visit_timed_out' }), leftMs)
  let hasDied = false
  const ended = Promise.withResolvers<void>()
  const died = () => {
    hasDied = true
    ended.resolve()
    end({ code: 'browser_ended' })
  }
  process.on('disconnected', died)
  let proxy: EgressProxy | null = null
  try {
    proxy = await startEgressProxy(connector, {
      link,
      checksCertificates,
      maxBytes: maxMegabytes * 1_000_000,
      maxConnections: maximum.connections,
      onLimit: () => end({ code: 'visit_too_large', params: { megabytes: maxMegabytes } }),
    })
    const run = { process, url, proxy, takesCertificates: checksCertificates, signal: bounds, endsAt }
    const { outcome, isStuck } = await visitStops(run, settings.pages, (onIdle) =>
      runBothContexts(run, until, onIdle),
    )
    if (isCutOff(outcome)) await Promise.race([ended.promise, sleep(endNoticeMs, undefined, { ref: false })])
    return { outcome, isStuck, hasDied }
  } catch (error) {
    // Without a proxy, nothing was done in the process.
    const isStuck = proxy !== null
    return { outcome: { outcome: 'failed', reason: toVisitFailure(error) }, isStuck, hasDied }
  } finally {
    clearTimeout(timer)
    process.off('disconnected', died)
    await proxy?.close()
  }
}

/** Whether something failed as it does if a page is closed, before or after it has opened. */
function isCutOff(outcome: Visited | VisitFailed): boolean {
  const reasons =
    outcome.outcome === 'failed'
      ? [outcome.reason]
      : [...outcome.problems, ...(outcome.stops ?? []).map(({ problem }) => problem)]
  return reasons.some((reason) => reason?.code === 'connection_failed' || reason?.code === 'visit_not_opened')
}

/** What was done with the banner; filled while it happens, because a phase may end early. */
interface Choices {
  readonly consent: {
    refused: ConsentAction | null
    accepted: ConsentAction | null
    withdrawn: ConsentAction | null
  }
  readonly tried: Phase[]
}

async function runBothContexts(
  run: Omit<PhaseRun, 'phase'>,
  until: number,
  onIdle: (opened: OpenedPage) => Promise<void>,
): Promise<Omit<VisitReport, 'hasDied'>> {
  const evidence = createEvidence()
  const choices: Choices = { consent: { refused: null, accepted: null, withdrawn: null }, tried: [] }
  const first = await runPhase({ ...run, phase: 'before' }, async (opened) => {
    await onIdle(opened)
    return refuse(opened, evidence, choices, until)
  })
  if (first.opened === null) {
    const reason = first.problem ?? ({ code: 'visit_not_opened' } as const)
    return { outcome: { outcome: 'failed' as const, reason }, isStuck: first.isStuck }
  }
  const mayAccept = first.result?.mayAccept === true && !run.signal.aborted
  const second = mayAccept
    ? await runPhase({ ...run, phase: null }, (opened) => accept(opened, evidence, choices, until))
    : null
  const { consent, tried } = choices
  const hasAccepted = consent.accepted !== null
  const isGone = second !== null && second.problem === null && !hasAccepted
  const problems = [
    first.problem,
    first.result?.problem,
    isDeepStrictEqual(second?.problem, first.problem) ? null : second?.problem,
    second?.result,
    isGone ? ({ code: 'visit_banner_missing' } as const) : null,
    ...evidence.problems(),
  ]
  const outcome: Visited = {
    outcome: 'visited',
    url: first.opened,
    // Nobody has agreed to what an attempt to accept requested.
    requests: [...first.requests, ...(hasAccepted ? (second?.requests ?? []) : [])],
    ...evidence.result(),
    consent,
    tried,
    problems: problems.flatMap((problem) => problem ?? []),
  }
  return { outcome, isStuck: first.isStuck || second?.isStuck === true }
}

interface Refused {
  /** Whether consent can also be accepted. */
  readonly mayAccept: boolean
  /** Why the page was not opened again. */
  readonly problem: FetchFailure | null
}

async function refuse(
  opened: OpenedPage,
  evidence: Evidence,
  choices: Choices,
  until: number,
): Promise<Refused> {
  const { recording, waitUntilIdle } = opened
  await evidence.collect(opened, 'before')
  const way = await findChoice(opened, 'refuse')
  const mayAccept = (await findConsentWay(consentPage(opened), 'accept')) !== null
  // Pages also store something after they are idle, and banners are searched for a while.
  await evidence.addStored(opened, 'before')
  if (way !== null) {
    recording.enter('refused')
    choices.consent.refused = await choose(opened, 'refuse')
  }
  choices.tried.push('refused', ...(mayAccept ? [] : (['accepted'] as const)))
  if (choices.consent.refused === null) {
    recording.revert('refused', 'before')
    return { mayAccept, problem: null }
  }
  await waitUntilIdle()
  // The visit still has to accept consent.
  const neededMs = mayAccept ? 2 * minReopenMs : minReopenMs
  const hasTime = until - performance.now() >= neededMs
  const problem = hasTime ? await reopenRefused(opened) : ({ code: 'visit_not_reopened' } as const)
  await evidence.collect(opened, 'refused', problem === null)
  return { mayAccept, problem }
}

/** Opens the page again: only what it loads then shows whether it keeps the refusal. Returns why it did not open. */
async function reopenRefused({ recording, reopen }: OpenedPage): Promise<FetchFailure | null> {
  recording.enter(null)
  try {
    await reopen('refused')
    return null
  } catch (error) {
    return toVisitFailure(error)
  }
}

/** Returns why consent was not withdrawn although it was given. */
async function accept(
  opened: OpenedPage,
  evidence: Evidence,
  { consent, tried }: Choices,
  until: number,
): Promise<FetchFailure | null> {
  const { recording, browse } = opened
  if ((await findChoice(opened, 'accept')) === null) {
    // The script of the banner may wait for a visitor who does something.
    await browse()
    if ((await findChoice(opened, 'accept')) === null) return null
  }
  await evidence.enterContext(opened)
  recording.enter('accepted')
  consent.accepted = await choose(opened, 'accept')
  tried.push('accepted')
  if (consent.accepted === null) return null
  await browse()
  await evidence.collect(opened, 'accepted')
  if (until - performance.now() < minReopenMs) return { code: 'visit_not_withdrawn' }
  recording.enter(null)
  consent.withdrawn = await withdrawConsent(opened)
  tried.push('withdrawn')
  if (consent.withdrawn === null) return null
  await opened.reopen('withdrawn')
  await evidence.collect(opened, 'withdrawn')
  return null
}

/**
 * Refuses or accepts consent. A function that changes nothing that is stored may be left of another tool, so that the visible banner
 * is answered then. If there is none, a function that has requested nothing either does not count
 * as a choice: trackers would be blamed for what loads after a refusal that reached none of them, or missed after such an acceptance.
 */
async function choose(opened: OpenedPage, answer: ConsentAnswer): Promise<ConsentAction | null> {
  const countRequests = () => opened.recording.requests().length
  const requested = countRequests()
  const before = await digestStorage(opened)
  const isIneffective = async (action: ConsentAction | null) => {
    if (action?.way !== 'call') return false
    await sleep(settleMs)
    return (await digestStorage(opened)) === before
  }
  const made = await answerConsent(consentPage(opened), answer)
  if (!(await isIneffective(made))) return made
  const pressed = await answerBanner(consentPage(opened), answer)
  if (pressed !== null && !(await isIneffective(pressed))) return pressed
  return countRequests() > requested ? made : null
}

const consentPage = ({ page, instruments: { autoconsent } }: OpenedPage) => ({ page, autoconsent })

async function findChoice(opened: OpenedPage, answer: ConsentAnswer): Promise<ConsentAction | null> {
  for (let attempt = 0; ; attempt++) {
    const way = await findConsentWay(consentPage(opened), answer)
    if (way !== null || attempt === bannerRetries) return way
    await sleep(bannerRetryMs)
  }
}
