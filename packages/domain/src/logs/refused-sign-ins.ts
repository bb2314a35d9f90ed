import { users } from '@kustos/database/tables'
import { and, isNull, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { networkOf } from '../platform/network.ts'
import { createAuditThrottle } from './audit-throttle.ts'

export type RefusedSignIns = ReturnType<typeof openRefusedSignIns>

const log = 'auth'
const reason = 'too many attempts'
const overLimit = { log, description: 'further sign-ins refused', attributes: { reason } } as const

/** Logs sign-ins that exceed the limits, at most one per minute for each e-mail and network. */
export function openRefusedSignIns() {
  const { note, flushCounts } = createAuditThrottle(overLimit)
  return {
    flushCounts,
    /** Logs a sign-in, or counts it after the first one within a minute. @param email in lower case */
    note: (context: Context, email: string, address: string): Promise<void> =>
      note(context, {
        owner: networkOf(address),
        key: email,
        async entry({ db }) {
          const [user] = await db
            .select({ id: users.id })
            .from(users)
            .where(and(sql`lower(${users.email}) = ${email}`, isNull(users.deleted_at)))
          return {
            log,
            description: 'sign-in refused',
            ...(user && { subject: { type: 'user', id: user.id } }),
            attributes: { email, address, reason },
          }
        },
        overLimit: { ...overLimit, attributes: { address: networkOf(address), reason } },
      }),
  }
}
