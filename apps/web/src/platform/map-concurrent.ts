import pLimit from 'p-limit'

const limit = 4

export interface Refusal<Thing> {
  readonly thing: Thing
  readonly error: unknown
}

/**
 * Runs work for each thing, four at a time, and continues after failures.
 * @param onProgress is called after each with the number of those done
 * @returns those that failed, in their order
 */
export async function mapConcurrent<Thing>(
  things: readonly Thing[],
  work: (thing: Thing) => Promise<unknown>,
  onProgress: (done: number) => void,
): Promise<readonly Refusal<Thing>[]> {
  let done = 0
  const results = await pLimit(limit).map(things, async (thing) => {
    try {
      await work(thing)
    } catch (error) {
      return { thing, error }
    } finally {
      onProgress(++done)
    }
  })
  return results.filter((result) => result !== undefined)
}
