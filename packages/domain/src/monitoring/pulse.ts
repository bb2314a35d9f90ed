/** Whether anything answers at all, so that a lost network of our own is not taken for a hundred dead webs. */
export interface Pulse {
  /** Takes notice of a probe. */
  note(up: boolean): void
  /** Whether every one of several probes that ended since then failed. @param since milliseconds of `Date.now()` */
  noSuccessSince(since: number): boolean
}

/** Fewer failures than these are no reason to doubt ourselves. */
const enough = 5

/** For the probes of one process: each has a network of its own to lose. */
export function openPulse(): Pulse {
  let answered = Number.NEGATIVE_INFINITY
  /** When the latest failures were, the oldest first. */
  const failed: number[] = []
  return {
    note(up) {
      if (up) answered = Date.now()
      else failed.push(Date.now())
      if (failed.length > enough) failed.shift()
    },
    noSuccessSince(since) {
      const [oldest] = failed
      return answered < since && failed.length === enough && oldest !== undefined && oldest >= since
    },
  }
}
