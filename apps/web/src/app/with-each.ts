/** How many requests are on their way at a time. */
const atOnce = 4

export interface Refusal<Thing> {
  readonly thing: Thing
  readonly error: unknown
}

/**
 * Does something with each of several, a few at a time, and goes on where one fails.
 * @param onProgress hears after each how many are done
 * @returns those that failed, in their order
 */
export async function withEach<Thing>(
  things: readonly Thing[],
  work: (thing: Thing) => Promise<unknown>,
  onProgress: (done: number) => void,
): Promise<readonly Refusal<Thing>[]> {
  const failures = new Map<number, unknown>()
  const waiting = [...things.entries()]
  let done = 0
  async function lane() {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, thing] = next
      try {
        await work(thing)
      } catch (error) {
        failures.set(index, error)
      }
      onProgress(++done)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return things.flatMap((thing, index) =>
    failures.has(index) ? [{ thing, error: failures.get(index) }] : [],
  )
}
