import { setTimeout as sleep } from 'node:timers/promises'
import { isTransient } from '@kustos/database/client'

const retryDelayMs = 500

/**
 * Repeats work until it succeeds, fails for good or the signal aborts, while the database is down or busy.
 * The work has to be idempotent, since the answer to a commit may be lost with the connection.
 */
export async function retryTransient<T>(
  signal: AbortSignal,
  work: () => Promise<T>,
  onFailure?: (error: Error) => void,
): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Error && isTransient(error)) || signal.aborted) throw error
      onFailure?.(error)
      await sleep(retryDelayMs)
    }
  }
}

/** Enough for Postgres to restart. */
const startTimeoutMs = 60_000

/**
 * Lets a program start while its database is down, for up to a minute.
 * @param onWait called once, with the first error
 */
export async function waitForDatabase<T>(work: () => Promise<T>, onWait: (error: Error) => void): Promise<T> {
  let isWaiting = false
  return retryTransient(AbortSignal.timeout(startTimeoutMs), work, (error) => {
    if (!isWaiting) onWait(error)
    isWaiting = true
  })
}
