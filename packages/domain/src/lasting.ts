import { setTimeout as sleep } from 'node:timers/promises'
import { mayPass } from '@kustos/database/client'

/** In milliseconds. */
const pause = 500

/**
 * Work on the database that must not be lost: while the database is away, or others stand in the way, it is tried again
 * until the signal.
 * The work has to be safe to run twice, since the answer to a commit may be lost with the connection.
 */
export async function lasting<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!mayPass(error) || signal.aborted) throw error
      await sleep(pause)
    }
  }
}
