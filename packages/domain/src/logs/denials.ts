import { change } from '../audit.ts'
import type { Context } from '../context.ts'

/** A call that was refused to a signed-in user. */
export interface Denial {
  readonly method: string
  /** The route as the contract writes it, such as /api/webs/:id. */
  readonly route: string
  /** What it was about, where the route has an id. */
  readonly id?: number
}

export interface Denials {
  /** Writes the log's entry, unless the same user was denied the same route within the last minute. */
  note(context: Context, denial: Denial): Promise<void>
}

const minute = 60_000
/** Far more than there are users times routes that a minute can hold. */
const room = 10_000

/** Denied calls for the log: one entry a minute and route of each user, however often a client asks. */
export function openDenials(): Denials {
  /** When a user was denied a route last and that was written, the oldest first. */
  const noted = new Map<string, number>()

  function isNew(key: string, at: number): boolean {
    const last = noted.get(key)
    if (last !== undefined && at - last < minute) return false
    noted.delete(key)
    noted.set(key, at)
    for (const [oldest, then] of noted) {
      if (at - then < minute && noted.size <= room) break
      noted.delete(oldest)
    }
    return true
  }

  return {
    async note(context, { method, route, id }) {
      const { actor } = context
      if (actor === null) return
      const key = `${actor.id} ${method} ${route}`
      if (!isNew(key, context.now().getTime())) return
      try {
        await change(context, (inside) =>
          inside.record({
            log: 'auth',
            description: 'denied',
            attributes: { method, route, ...(id !== undefined && { id }) },
          }),
        )
      } catch (error) {
        noted.delete(key)
        throw error
      }
    },
  }
}
