/** Yielded where a task may be interrupted. */
export const pause = Symbol('pause')

/** A long computation with pauses, and its result. */
export type CooperativeTask<T> = Generator<typeof pause, T, undefined>

/** Longest time without room for other work. */
const sliceMs = 10

const waiting: (() => void)[] = []

/** Resolves when it is a task's turn. One task runs at a time, and all other work comes between two of them. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next)
  })
}

function next(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(next)
}

/** Runs a task with room for other work at its pauses. @throws the signal's reason if it is aborted */
export async function runCooperatively<T>(task: CooperativeTask<T>, signal?: AbortSignal): Promise<T> {
  await turn()
  for (let sliceStart = performance.now(); ; ) {
    const step = task.next()
    if (step.done) return step.value
    if (performance.now() - sliceStart < sliceMs) continue
    signal?.throwIfAborted()
    await turn()
    sliceStart = performance.now()
  }
}

/** Runs a task without interruption. */
export function runToEnd<T>(task: CooperativeTask<T>): T {
  for (;;) {
    const step = task.next()
    if (step.done) return step.value
  }
}

/** Collects what an iterable yields besides its pauses. */
export function* collect<T>(all: Iterable<T | typeof pause>): CooperativeTask<T[]> {
  const list: T[] = []
  for (const one of all) {
    if (one === pause) yield pause
    else list.push(one)
  }
  return list
}

/** Whether to pause after an entry of a list whose entries are little work. */
const shouldYield = (index: number): boolean => index % 100 === 99

/** Applies a task to the entries of a list, with pauses in between, and yields what it yields. */
export function* each<Entry, Result>(
  entries: readonly Entry[],
  task: (entry: Entry, index: number) => Iterable<Result | typeof pause>,
): Generator<Result | typeof pause, void> {
  for (const [index, entry] of entries.entries()) {
    if (shouldYield(index)) yield pause
    yield* task(entry, index)
  }
}
