import type { Prober } from '@kustos/clients/probe'
import pLimit, { type LimitFunction } from 'p-limit'

/** Shared by all probes of a process. */
export interface Probing {
  readonly prober: Prober
  /** Limits the connections of all shards together. */
  readonly limit: LimitFunction
  readonly successes: SuccessTracker
  /** From a failed probe to the one that confirms it. */
  readonly confirmAfterMs: number
}

/** A web that never answers takes a slot for ten seconds, so a thousand dead ones do not delay the others. */
const maxConcurrentProbes = 1_000

export const openProbing = (prober: Prober, confirmAfterMs = 10_000): Probing => ({
  prober,
  limit: pLimit(maxConcurrentProbes),
  successes: createSuccessTracker(),
  confirmAfterMs,
})

/** Whether anything answers at all, so that a failure of our own network does not count as a hundred dead webs. */
export interface SuccessTracker {
  record(isUp: boolean): void
  /** Whether every one of several probes that ended since then failed. @param since as `Date.now()` */
  noSuccessSince(since: number): boolean
}

const minFailures = 5

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
