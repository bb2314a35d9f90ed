import { users } from '@kustos/database/tables'
import { and, isNull, sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { networkOf } from '../network.ts'
import { openSparing, type Sparing } from './sparing.ts'

export interface RefusedSignIns extends Pick<Sparing, 'tellCounted'> {
  /**
   * Writes the log's entry of a sign-in that the limits refused, or counts it where the last minute has one of the same.
   * @param email in lower case
   */
  note(context: Context, email: string, address: string): Promise<void>
}

const log = 'auth'
const reason = 'too many attempts'
const beyond = { log, description: 'further sign-ins refused', attributes: { reason } } as const

/** Sign-ins that the limits refused, for the log: one entry a minute, e-mail and address (of IPv6, network). */
export function openRefusedSignIns(): RefusedSignIns {
  const { note, tellCounted } = openSparing(beyond)
  return {
    tellCounted,
    note: (context, email, address) =>
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
        beyond: { ...beyond, attributes: { address: networkOf(address), reason } },
      }),
  }
}
