import type { Prober } from '@kustos/clients/probe'
import pLimit from 'p-limit'

export type Probing = ReturnType<typeof openProbing>

/** A web that never answers takes a slot for ten seconds, so a thousand dead ones do not delay the others. */
const maxConcurrentProbes = 1_000

/** The state that all probes of a process share. @param confirmAfterMs from a failed probe to the one that confirms it */
export const openProbing = (prober: Prober, confirmAfterMs = 10_000) => ({
  prober,
  /** Limits the connections of all shards together. */
  limit: pLimit(maxConcurrentProbes),
  successes: createSuccessTracker(),
  pauses: watchForPauses(),
  confirmAfterMs,
})

const minFailures = 5

/** Whether anything answers at all, so that a failure of our own network does not count as a hundred dead webs. */
function createSuccessTracker() {
  let lastSuccess = Number.NEGATIVE_INFINITY
  /** Times of the latest failures, the oldest first. */
  const failures: number[] = []
  return {
    record(isUp: boolean): void {
      if (isUp) lastSuccess = Date.now()
      else failures.push(Date.now())
      if (failures.length > minFailures) failures.shift()
    },
    /** Whether every one of several probes that ended since then failed. @param since as `Date.now()` */
    noSuccessSince(since: number): boolean {
      const [oldest] = failures
      return lastSuccess < since && failures.length === minFailures && oldest !== undefined && oldest >= since
    },
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
