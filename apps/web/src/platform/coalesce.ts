type Task = () => Promise<unknown>

/**
 * Runs at most one task per key at a time and starts at most one every `intervalMs`.
 * Calls in between cause one more run. A rejected task counts as done.
 */
export function createCoalescer(intervalMs: number): (key: string, task: Task) => void {
  const pending = new Map<string, Task | null>()

  async function run(key: string, task: Task) {
    for (let next: Task | null = task; next !== null; next = pending.get(key) ?? null) {
      pending.set(key, null)
      await Promise.allSettled([next(), sleep(intervalMs)])
    }
    pending.delete(key)
  }

  return (key, task) => {
    if (pending.has(key)) pending.set(key, task)
    else void run(key, task)
  }
}

export const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
