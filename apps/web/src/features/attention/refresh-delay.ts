/** The clocks of browser and server may differ, so an early reading is repeated, but not at once. */
const minDelayMs = 5_000
const marginMs = 500

/**
 * How long to wait before the list is read again.
 * @param changesAt when it changes by time alone; null if that is not known
 * @param now Unix milliseconds
 */
export const refreshDelayMs = (changesAt: string | null, now: number): number | false =>
  changesAt !== null && Math.max(minDelayMs, Date.parse(changesAt) - now + marginMs)
