/** Moments and choices that come again with the same seed (mulberry32). */
export function seeded(seed: number) {
  let state = seed >>> 0
  /** From 0 up to and without 1. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    /** A whole number, both ends included. */
    int: (from: number, to: number): number => from + Math.floor(next() * (to - from + 1)),
    pick<T>(among: readonly T[]): T {
      const chosen = among[Math.floor(next() * among.length)]
      if (chosen === undefined) throw new RangeError('There is nothing to choose from')
      return chosen
    },
  }
}
export type Random = ReturnType<typeof seeded>
