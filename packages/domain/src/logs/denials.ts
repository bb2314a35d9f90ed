import type { Context } from '../context.ts'
import { openSparing, type Sparing } from './sparing.ts'

/** A call that was refused to a signed-in user. */
export interface Denial {
  readonly method: string
  /** The route as the contract writes it, such as /api/webs/:id. */
  readonly route: string
  /** What it was about, where the route has an id. */
  readonly id?: number
}

export interface Denials extends Pick<Sparing, 'tellCounted'> {
  /** Writes the log's entry, or counts the denial where the same user was denied the same within the last minute. */
  note(context: Context, denial: Denial): Promise<void>
}

const log = 'auth'
const beyond = { log, description: 'further calls denied' } as const

/** Denied calls for the log: one entry a minute, route and id of each user, however often a client asks. */
export function openDenials(): Denials {
  const { note, tellCounted } = openSparing(beyond)
  return {
    tellCounted,
    async note(context, { method, route, id }) {
      const { actor } = context
      if (actor === null) return
      const attributes = { method, route, ...(id !== undefined && { id }) }
      // Told later it is not the acting user who writes it.
      const causerId = actor.id
      await note(context, {
        owner: String(causerId),
        key: `${method} ${route} ${id ?? ''}`,
        entry: async () => ({ log, description: 'denied', attributes, causerId }),
        beyond: { ...beyond, causerId },
      })
    },
  }
}
