/** A reproducible random generator (mulberry32). */
export function createRandom(seed: number) {
  let state = seed >>> 0
  /** From 0 (inclusive) to 1 (exclusive). */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    /** An integer from `from` to `to`, both inclusive. */
    int: (from: number, to: number): number => from + Math.floor(next() * (to - from + 1)),
    pick<T>(items: readonly T[]): T {
      const chosen = items[Math.floor(next() * items.length)]
      if (chosen === undefined) throw new RangeError('There is nothing to choose from')
      return chosen
    },
  }
}
export type Random = ReturnType<typeof createRandom>
