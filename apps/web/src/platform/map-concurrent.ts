import pLimit from 'p-limit'

const limit = 4

/**
 * Runs work for each item, four at a time, and continues after failures.
 * @param onProgress called with the number of finished items
 * @returns the items that failed and their errors, in order
 */
export async function mapConcurrent<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  onProgress: (done: number) => void,
) {
  let done = 0
  const results = await pLimit(limit).map(items, async (item) => {
    try {
      await work(item)
    } catch (error) {
      return { item, error }
    } finally {
      onProgress(++done)
    }
  })
  return results.filter((result) => result !== undefined)
}
