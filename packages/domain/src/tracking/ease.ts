/** Where whoever goes through something long may be interrupted. */
export const pause = Symbol('pause')

/** Something long, with its pauses, and what comes of it. */
export type Steps<T> = Generator<typeof pause, T, undefined>

/** Milliseconds that others may be kept waiting. */
const longest = 10

const waiting: (() => void)[] = []

/**
 * Whoever goes through something long waits for its turn: one of them at a time, with room for all else that there is to do
 * between two of them, however many there are.
 */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next)
  })
}

function next(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(next)
}

/** Goes through all of it, with room for others' work at its pauses. @throws the signal's reason */
export async function atEase<T>(steps: Steps<T>, signal?: AbortSignal): Promise<T> {
  await turn()
  for (let since = performance.now(); ; ) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - since < longest) continue
    signal?.throwIfAborted()
    await turn()
    since = performance.now()
  }
}

/** Goes through all of it at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** All that something yields beside its pauses. */
export function* gathered<T>(all: Iterable<T | typeof pause>): Steps<T[]> {
  const list: T[] = []
  for (const one of all) {
    if (one === pause) yield pause
    else list.push(one)
  }
  return list
}

/** Of a list whose entries are short work, those after which a pause is due. */
export const isRest = (index: number): boolean => index % 100 === 99
