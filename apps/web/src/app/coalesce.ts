type Work = () => Promise<unknown>

/**
 * Runs work under a key: at once, but never two runs of a key side by side nor begun within `interval` milliseconds.
 * However often it is asked for meanwhile, one more run follows. Work that rejects counts as done.
 */
export function coalescer(interval: number): (key: string, work: Work) => void {
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

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
