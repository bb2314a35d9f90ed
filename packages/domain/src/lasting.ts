import { setTimeout as sleep } from 'node:timers/promises'
import { mayPass } from '@kustos/database/client'

/** In milliseconds. */
const pause = 500

/**
 * Work on the database that must not be lost: while the database is away, or others stand in the way, it is tried again
 * until the signal.
 * The work has to be safe to run twice, since the answer to a commit may be lost with the connection.
 */
export async function lasting<T>(
  signal: AbortSignal,
  work: () => Promise<T>,
  onFailure?: (error: Error) => void,
): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Error && mayPass(error)) || signal.aborted) throw error
      onFailure?.(error)
      await sleep(pause)
    }
  }
}

/** Postgres is back from a kill or a restart by then. In milliseconds. */
const startPatience = 60_000

/**
 * A program that begins while its database is away waits for it, for a minute at most.
 * @param onWait told once, with what the database says
 */
export async function whileStarting<T>(work: () => Promise<T>, onWait: (error: Error) => void): Promise<T> {
  let isWaiting = false
  return lasting(AbortSignal.timeout(startPatience), work, (error) => {
    if (!isWaiting) onWait(error)
    isWaiting = true
  })
}
