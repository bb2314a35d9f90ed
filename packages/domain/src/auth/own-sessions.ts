import type { OwnSession } from '@kustos/contract/auth'
import { sessions } from '@kustos/database/tables'
import { and, desc, eq, gt } from 'drizzle-orm'
import { withAudit } from '../platform/audit.ts'
import { type Context, requireActor } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { serializeDates } from '../platform/serialize-dates.ts'
import { endOtherSessions, hashId, lockSessionsOf } from './sessions.ts'

/** The acting user's sessions, the last used first. @param currentId of the session that asks */
export async function listOwnSessions(context: Context, currentId: string): Promise<OwnSession[]> {
  const rows = await context.db
    .select()
    .from(sessions)
    .where(and(eq(sessions.user_id, requireActor(context).id), gt(sessions.expires_at, context.now())))
    .orderBy(desc(sessions.last_seen_at), desc(sessions.number))
  return rows.map(({ id, number, user_id: _, data: __, confirmed_at: ___, ...row }) => ({
    ...serializeDates(row),
    id: number,
    is_current: id === hashId(currentId),
  }))
}

/**
 * Ends one of the acting user's sessions.
 * @returns whether it is the current one
 * @throws DomainError not-found, also for sessions of other users
 */
export const endOwnSession = (context: Context, number: number, currentId: string): Promise<boolean> =>
  withAudit(context, async (tx) => {
    const user = requireActor(context)
    await lockSessionsOf(tx, user.id)
    const [ended] = await tx.db
      .delete(sessions)
      .where(
        and(eq(sessions.number, number), eq(sessions.user_id, user.id), gt(sessions.expires_at, tx.now())),
      )
      .returning()
    if (!ended) throw notFound('session_not_found', { id: number })
    const isCurrent = ended.id === hashId(currentId)
    if (isCurrent) tx.endsOwnSession()
    await tx.record({
      log: 'auth',
      description: isCurrent ? 'signed out' : 'session ended',
      subject: { type: 'user', id: user.id },
      ...(!isCurrent && { old: { address: ended.address, user_agent: ended.user_agent } }),
    })
    return isCurrent
  })

export const endOwnOtherSessions = (context: Context, currentId: string): Promise<void> =>
  withAudit(context, async (tx) => {
    const user = requireActor(context)
    await lockSessionsOf(tx, user.id)
    const count = await endOtherSessions(tx, user.id, currentId)
    if (count === 0) return tx.skipAudit()
    await tx.record({
      log: 'auth',
      description: 'other sessions ended',
      subject: { type: 'user', id: user.id },
      attributes: { sessions: count },
    })
  })
