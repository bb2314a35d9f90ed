import { setImmediate as breath } from 'node:timers/promises'

/** Where whoever goes through something long may be interrupted. */
export const pause = Symbol('pause')

/** Milliseconds that others may be kept waiting. */
const longest = 20

/** All that something yields, with room for others' work at its pauses. */
export async function atEase<T>(steps: Iterable<T | typeof pause>): Promise<T[]> {
  const all: T[] = []
  let since = performance.now()
  for (const step of steps) {
    if (step !== pause) all.push(step)
    else if (performance.now() - since > longest) {
      await breath()
      since = performance.now()
    }
  }
  return all
}

/** All that something yields, at once. */
export function atOnce<T>(steps: Iterable<T | typeof pause>): T[] {
  const all: T[] = []
  for (const step of steps) if (step !== pause) all.push(step)
  return all
}
