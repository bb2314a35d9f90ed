import type { Prober } from '@kustos/clients/probe'
import pLimit, { type LimitFunction } from 'p-limit'

/** What the probes of one process go through. */
export interface Probing {
  readonly prober: Prober
  /** Keeps the number of connections in bounds, whatever the number of shards under way. */
  readonly limit: LimitFunction
  readonly successes: SuccessTracker
  /** From a failed probe to the one that confirms it. */
  readonly confirmAfterMs: number
}

/**
 * A web that never answers holds a place for ten seconds, two of them with its second probe: so many places let a
 * thousand dead ones among ten thousand pass by without the others waiting.
 */
const mostAtOnce = 1_000

export const openProbing = (prober: Prober, confirmAfterMs = 10_000): Probing => ({
  prober,
  limit: pLimit(mostAtOnce),
  successes: createSuccessTracker(),
  confirmAfterMs,
})

/** Tells whether anything answers at all, so that a lost network of our own is not taken for a hundred dead webs. */
export interface SuccessTracker {
  record(isUp: boolean): void
  /** Whether every one of several probes that ended since then failed. @param since as `Date.now()` */
  noSuccessSince(since: number): boolean
}

const minFailures = 5

/** Creates a tracker for the probes of one process, since each has its own network. */
function createSuccessTracker(): SuccessTracker {
  let lastSuccess = Number.NEGATIVE_INFINITY
  /** Times of the latest failures, the oldest first. */
  const failures: number[] = []
  return {
    record(isUp) {
      if (isUp) lastSuccess = Date.now()
      else failures.push(Date.now())
      if (failures.length > minFailures) failures.shift()
    },
    noSuccessSince(since) {
      const [oldest] = failures
      return lastSuccess < since && failures.length === minFailures && oldest !== undefined && oldest >= since
    },
  }
}
