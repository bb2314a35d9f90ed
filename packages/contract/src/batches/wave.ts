/** How many webs of a batch are worked on at a time, once the first one has succeeded, and the percentage of failures above which the rest is not started. */
export const waveLimits = {
  parallel: { min: 1, max: 100 },
  stop_above: { min: 0, max: 100 },
} as const

/** Enough to be done with a hundred webs soon, and few enough to see a bad update before it is everywhere. */
export const defaultWave = { parallel: 10, stop_above: 20 } as const
