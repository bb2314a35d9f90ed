import type { Prober } from '@kustos/clients/probe'
import pLimit from 'p-limit'
import type { SecretBox } from '../platform/secret-box.ts'
import type { Controls } from './controls.ts'

export type Probing = ReturnType<typeof openProbing>

/** A web that never answers takes a slot for ten seconds, so a thousand dead ones do not delay the others. */
const maxConcurrentProbes = 1_000

interface ProbingOptions {
  /** From a failed probe to the one that confirms it. */
  readonly confirmAfterMs?: number
  /** Called when incidents have been opened that are to be announced soon. */
  readonly onOpened?: () => void
  /** Null if none are configured. */
  readonly controls?: Controls | null
  /** Opens the headers of checks; null if no key for secrets is configured. */
  readonly secretBox?: SecretBox | null
}

/** The state that all probes of a process share. */
export const openProbing = (
  prober: Prober,
  {
    confirmAfterMs = 10_000,
    onOpened = () => undefined,
    controls = null,
    secretBox = null,
  }: ProbingOptions = {},
) => {
  const successes = createSuccessTracker()
  return {
    prober,
    onOpened,
    controls,
    secretBox,
    /** Limits the connections of all shards together. */
    limit: pLimit(maxConcurrentProbes),
    successes,
    witness: askWitness(successes),
    pauses: watchForPauses(),
    confirmAfterMs,
  }
}

const minFailures = 5
/** Rounds overlap while their last probes run. */
const trackedRounds = 8

/** Probes a web once more, in the way in which it has answered. @returns whether it answers again */
type AskAgain = (signal: AbortSignal) => Promise<boolean>

/** Whether anything answers at all, so that a failure of our own network does not count as a hundred dead webs. */
function createSuccessTracker() {
  let lastSuccess = Number.NEGATIVE_INFINITY
  let lastToAnswer: AskAgain | null = null
  /** Times of the latest failures, the oldest first. */
  const failures: number[] = []
  /** Times of the last success, by the beginning of the round. */
  const ofRounds = new Map<number, number>()
  return {
    /** @param again of the web that has answered; null if it has not */
    record(again: AskAgain | null, roundAt: Date): void {
      if (again !== null) {
        lastSuccess = Date.now()
        lastToAnswer = again
        ofRounds.set(roundAt.getTime(), lastSuccess)
        if (ofRounds.size > trackedRounds) ofRounds.delete(Math.min(...ofRounds.keys()))
      } else failures.push(Date.now())
      if (failures.length > minFailures) failures.shift()
    },
    /** Of the web that has answered last; null if none has. */
    lastToAnswer: () => lastToAnswer,
    /** Whether a probe of the round has succeeded since then, so that not everything fails. @param since as `Date.now()` */
    hasSuccessInRound: (roundAt: Date, since: number): boolean =>
      (ofRounds.get(roundAt.getTime()) ?? Number.NEGATIVE_INFINITY) >= since,
    /** Whether every one of several probes that ended since then failed. @param since as `Date.now()` */
    noSuccessSince(since: number): boolean {
      const [oldest] = failures
      return lastSuccess < since && failures.length === minFailures && oldest !== undefined && oldest >= since
    },
  }
}

/**
 * Returns a function that probes the web that has answered last once more, and records whether it does so. Of a few webs,
 * those that hang fail after all others have answered, so that nothing else tells their failure from one of our own network.
 */
function askWitness(successes: ReturnType<typeof createSuccessTracker>) {
  let asked: Promise<void> | null = null
  async function ask(roundAt: Date, signal: AbortSignal): Promise<void> {
    const again = successes.lastToAnswer()
    if (again !== null && (await again(signal))) successes.record(again, roundAt)
  }
  /** Those that ask at the same time share one probe. */
  return (roundAt: Date, signal: AbortSignal): Promise<void> => {
    asked ??= ask(roundAt, signal).finally(() => {
      asked = null
    })
    return asked
  }
}

const tickMs = 500
const pauseMs = 2_000

/**
 * Notices when this process did not run for a while, as in a frozen virtual machine. What arrived meanwhile is read too late:
 * timers come first.
 */
function watchForPauses() {
  let lastTick = Date.now()
  let lastPause = Number.NEGATIVE_INFINITY
  function tick() {
    const now = Date.now()
    if (now - lastTick > pauseMs) lastPause = now
    lastTick = now
  }
  setInterval(tick, tickMs).unref()
  return {
    /** @param time as `Date.now()` */
    hasPausedSince(time: number): boolean {
      tick()
      return lastPause >= time
    },
  }
}
