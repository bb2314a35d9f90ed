import type { Prober } from '@kustos/clients/probe'
import pLimit, { type LimitFunction } from 'p-limit'
import { createSuccessTracker, type SuccessTracker } from './success-tracker.ts'

/** What the probes of one process go through. */
export interface Probing {
  readonly prober: Prober
  /** Keeps the number of connections in bounds, whatever the number of shards under way. */
  readonly limit: LimitFunction
  readonly successes: SuccessTracker
  /** Milliseconds from a failed probe to the one that confirms it. */
  readonly confirmAfter: number
}

/**
 * A web that never answers holds a place for ten seconds, two of them with its second probe: so many places let a
 * thousand dead ones among ten thousand pass by without the others waiting.
 */
const mostAtOnce = 1_000

export const openProbing = (prober: Prober, confirmAfter = 10_000): Probing => ({
  prober,
  limit: pLimit(mostAtOnce),
  successes: createSuccessTracker(),
  confirmAfter,
})
