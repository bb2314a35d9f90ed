/** Tells whether anything answers at all, so that a lost network of our own is not taken for a hundred dead webs. */
export interface SuccessTracker {
  record(isUp: boolean): void
  /** Whether every one of several probes that ended since then failed. @param since as `Date.now()` */
  noSuccessSince(since: number): boolean
}

const minFailures = 5

/** Creates a tracker for the probes of one process, since each has its own network. */
export function createSuccessTracker(): SuccessTracker {
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
