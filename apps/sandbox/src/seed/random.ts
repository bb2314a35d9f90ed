/** A generator of pseudo-random values that are the same at every run. */
export interface Random {
  /** At least 0, less than 1. */
  next(): number
  /** An integer; both ends are included. */
  int(from: number, to: number): number
  chance(probability: number): boolean
  pick<T>(choices: readonly T[]): T
  /** One of the keys, with probabilities in proportion to the weights. */
  weighted<K extends string | number>(weights: Readonly<Record<K, number>>): `${K}`
  hex(digits: number): string
}

/** Mulberry32 by Tommy Ettinger (public domain). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (choices) => requireItem(choices[int(0, choices.length - 1)]),
    weighted<K extends string | number>(weights: Readonly<Record<K, number>>) {
      const choices = Object.keys(weights) as `${K}`[]
      const numbers: number[] = Object.values(weights)
      let left = next() * numbers.reduce((sum, weight) => sum + weight, 0)
      const found = choices.find((_, i) => {
        left -= numbers[i] ?? 0
        return left < 0
      })
      return requireItem(found ?? choices.at(-1))
    },
    hex: (digits) => Array.from({ length: digits }, () => int(0, 15).toString(16)).join(''),
  }
}

function requireItem<T>(item: T | undefined): T {
  if (item === undefined) throw new Error('There is nothing to choose from')
  return item
}

/** A 32-bit hash of a text (FNV-1a), for use as a seed. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}
