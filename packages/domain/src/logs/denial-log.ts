import type { Context } from '../platform/context.ts'
import { createAuditThrottle } from './audit-throttle.ts'

export interface Denial {
  readonly method: string
  /** The route as the contract writes it, such as /api/webs/:id. */
  readonly route: string
  readonly id?: number
}

export type DenialLog = ReturnType<typeof createDenialLog>

const log = 'auth'
const overLimit = { log, description: 'further calls denied' } as const

/** Logs denied requests, at most one per minute for each user, route and id. */
export function createDenialLog() {
  const { record, flushCounts } = createAuditThrottle(overLimit)
  return {
    flushCounts,
    /** Logs the denial, or counts it if the user was denied the same within the last minute. */
    async record(context: Context, { method, route, id }: Denial): Promise<void> {
      const { actor } = context
      if (actor === null) return
      const attributes = { method, route, ...(id !== undefined && { id }) }
      // Counted denials are written later, without an acting user.
      const causerId = actor.id
      await record(context, {
        owner: String(causerId),
        key: `${method} ${route} ${id ?? ''}`,
        entry: async () => ({ log, description: 'denied', attributes, causerId }),
        overLimit: { ...overLimit, causerId },
      })
    },
  }
}
