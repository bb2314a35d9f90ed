type Work = () => Promise<unknown>

/**
 * Runs work under a key at once, but never twice at a time nor more often than every `interval` milliseconds.
 * Calls in between lead to one more run. Rejected work counts as done.
 */
export function createCoalescer(interval: number): (key: string, work: Work) => void {
  const asked = new Map<string, Work | null>()

  async function run(key: string, work: Work) {
    for (let next: Work | null = work; next !== null; next = asked.get(key) ?? null) {
      asked.set(key, null)
      await Promise.allSettled([next(), pause(interval)])
    }
    asked.delete(key)
  }

  return (key, work) => {
    if (asked.has(key)) asked.set(key, work)
    else void run(key, work)
  }
}

export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
