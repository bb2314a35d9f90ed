import { setTimeout as sleep } from 'node:timers/promises'
import { backoff } from '@kustos/database/backoff'
import { isTransient } from '@kustos/database/client'

const firstDelayMs = 500
const maxDelayMs = 8_000
/** After that the work fails; what has a row and a job is then repeated from its row. */
const defaultLimitMs = 10 * 60_000

interface RetryOptions {
  /** From the first failure on. */
  readonly limitMs?: number
  readonly onFailure?: (error: Error) => void
}

/**
 * Repeats work with growing delays until it succeeds, fails for good, the signal aborts or the limit is reached, while the
 * database is down or busy. The work has to be idempotent, since the answer to a commit may be lost with the connection.
 * @throws the last error
 */
export async function retryTransient<T>(
  signal: AbortSignal,
  work: () => Promise<T>,
  { limitMs = defaultLimitMs, onFailure }: RetryOptions = {},
): Promise<T> {
  let endsAt = Number.POSITIVE_INFINITY
  const delaysMs = backoff(firstDelayMs, maxDelayMs)
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Error && isTransient(error)) || signal.aborted) throw error
      const now = performance.now()
      endsAt = Math.min(endsAt, now + limitMs)
      if (now >= endsAt) throw error
      onFailure?.(error)
      // The last attempt is made at the limit.
      const waitMs = Math.min(delaysMs.next().value, endsAt - now)
      await sleep(waitMs, undefined, { signal }).catch(() => undefined)
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
  return retryTransient(new AbortController().signal, work, {
    limitMs: startTimeoutMs,
    onFailure(error) {
      if (!isWaiting) onWait(error)
      isWaiting = true
    },
  })
}
