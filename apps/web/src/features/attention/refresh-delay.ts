/** The clocks of browser and server may differ, so an early reading is repeated, but not at once. */
const minDelayMs = 5_000
const marginMs = 500
/** Timers of browsers run at once for delays of more than 24.8 days, as until the end of a long snooze. */
const maxDelayMs = 24 * 3_600_000

/**
 * How long to wait before the list is read again.
 * @param changesAt when it changes by time alone; null if that is not known
 * @param now Unix milliseconds
 */
export const refreshDelayMs = (changesAt: string | null, now: number): number | false =>
  changesAt !== null && Math.min(maxDelayMs, Math.max(minDelayMs, Date.parse(changesAt) - now + marginMs))
