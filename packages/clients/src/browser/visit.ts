import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser as Process } from 'playwright-core'
import type { Reach } from '../page/reach.ts'
import { limitOf, most, reasonOf } from './bounds.ts'
import type { Choice, SeenCookie, Unvisited, Visited } from './browser.ts'
import { choose, type Wish } from './consent.ts'
import { startForwarding } from './forwarding.ts'
import { type Opened, type Passing, pass } from './pass.ts'
import { noteCookies } from './recording.ts'

/** Banners come late: how often and how long they are waited for once the page rests, in milliseconds. */
const late = { times: 2, each: 1_000 }

export interface VisitSettings {
  readonly reach: Reach
  readonly checksCertificates: boolean
  /** For all of it, in milliseconds. */
  readonly deadline: number
  readonly signal: AbortSignal
}

export interface VisitEnd {
  readonly seen: Visited | Unvisited
  /** Whether something hangs in the process, so that it is not to be used any more. */
  readonly isStuck: boolean
  /** Whether the process ended meanwhile, for whatever reason. */
  readonly hasDied: boolean
}

/** Opens a page twice in a running process: once to refuse, once to accept. It never rejects. */
export async function visit(process: Process, url: string, settings: VisitSettings): Promise<VisitEnd> {
  const { reach, checksCertificates, deadline, signal } = settings
  const { end, bounds } = limitOf(signal)
  const timer = setTimeout(() => end('it was not done in time'), deadline)
  let hasDied = false
  const died = () => {
    hasDied = true
    end('the browser ended')
  }
  process.on('disconnected', died)
  const forwarding = await startForwarding(reach, {
    checksCertificates,
    mostBytes: most.bytes,
    mostConnections: most.connections,
    onFull: () => end(`it loads more than ${most.bytes / 1_000_000} MB, or from everywhere`),
  })
  try {
    const passing = { process, url, forwarding, takesCertificates: checksCertificates, signal: bounds }
    const { seen, isStuck } = await bothWays(passing)
    return { seen, isStuck, hasDied }
  } catch (error) {
    return { seen: { outcome: 'unseen', reason: reasonOf(error) }, isStuck: true, hasDied }
  } finally {
    clearTimeout(timer)
    process.off('disconnected', died)
    await forwarding.close()
  }
}

async function bothWays(passing: Omit<Passing, 'phase'>) {
  const cookies = new Map<string, SeenCookie>()
  const first = await pass({ ...passing, phase: 'before' }, (opened) => refuse(opened, cookies))
  if (first.opened === null) {
    const reason = first.problem ?? 'the browser did not open it'
    return { seen: { outcome: 'unseen' as const, reason }, isStuck: first.isStuck }
  }
  const mayAccept = first.did?.mayAccept === true && !passing.signal.aborted
  const second = mayAccept
    ? await pass({ ...passing, phase: null }, (opened) => accept(opened, cookies))
    : null
  const isGone = second !== null && second.problem === null && second.did === null
  const problems = [first.problem, second?.problem, isGone ? 'its banner did not come a second time' : null]
  const seen: Visited = {
    outcome: 'visited',
    url: first.opened,
    requests: [...first.requests, ...(second?.requests ?? [])],
    cookies: [...cookies.values()],
    consent: { refused: first.did?.refused ?? null, accepted: second?.did ?? null },
    problems: [...new Set(problems.filter((problem) => problem !== null && problem !== undefined))],
  }
  return { seen, isStuck: first.isStuck || second?.isStuck === true }
}

interface Refused {
  readonly refused: Choice | null
  /** Whether there is a way to accept, too. */
  readonly mayAccept: boolean
}

async function refuse(opened: Opened, cookies: Map<string, SeenCookie>): Promise<Refused> {
  const { context, page, recording, settle } = opened
  await noteCookies(context, 'before', cookies)
  const way = await lookFor(opened, 'refuse')
  // With a way to refuse there is seldom none to accept; without one, there may be.
  const mayAccept = (await choose(page, 'accept', true)) !== null
  if (way === null) return { refused: null, mayAccept }
  recording.enter('refused')
  const refused = await choose(page, 'refuse')
  await settle()
  await noteCookies(context, 'refused', cookies)
  return { refused, mayAccept }
}

async function accept(opened: Opened, cookies: Map<string, SeenCookie>): Promise<Choice | null> {
  const { context, page, recording, settle } = opened
  if ((await lookFor(opened, 'accept')) === null) return null
  recording.enter('accepted')
  const accepted = await choose(page, 'accept')
  await settle()
  await noteCookies(context, 'accepted', cookies)
  return accepted
}

async function lookFor({ page }: Opened, wish: Wish): Promise<Choice | null> {
  for (let time = 0; ; time++) {
    const way = await choose(page, wish, true)
    if (way !== null || time === late.times) return way
    await sleep(late.each)
  }
}
