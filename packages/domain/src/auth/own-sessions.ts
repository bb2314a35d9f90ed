import type { OwnSession } from '@kustos/contract/auth'
import { sessions } from '@kustos/database/tables'
import { and, desc, eq, gt } from 'drizzle-orm'
import { change } from '../audit.ts'
import { actorOf, type Context } from '../context.ts'
import { notFound } from '../errors.ts'
import { endOtherSessions, key } from './sessions.ts'

/**
 * The acting user's sessions, the latest used first.
 * @param asking the id of the session that asks
 */
export async function listOwnSessions(context: Context, asking: string): Promise<OwnSession[]> {
  const rows = await context.db
    .select()
    .from(sessions)
    .where(and(eq(sessions.user_id, actorOf(context).id), gt(sessions.expires_at, context.now())))
    .orderBy(desc(sessions.last_seen_at), desc(sessions.number))
  return rows.map((row) => ({
    id: row.number,
    is_current: row.id === key(asking),
    remembered: row.remembered,
    address: row.address,
    user_agent: row.user_agent,
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  }))
}

/**
 * Ends one of the acting user's sessions.
 * @returns whether it is the one that asks
 * @throws DomainError not-found, for other users' too
 */
export const endOwnSession = (context: Context, number: number, asking: string): Promise<boolean> =>
  change(context, async (inside) => {
    const user = actorOf(context)
    const [ended] = await inside.db
      .delete(sessions)
      .where(
        and(
          eq(sessions.number, number),
          eq(sessions.user_id, user.id),
          gt(sessions.expires_at, inside.now()),
        ),
      )
      .returning()
    if (!ended) throw notFound(`Session ${number}`)
    const isCurrent = ended.id === key(asking)
    await inside.record({
      log: 'auth',
      description: isCurrent ? 'signed out' : 'session ended',
      subject: { type: 'user', id: user.id },
      ...(!isCurrent && { old: { address: ended.address, user_agent: ended.user_agent } }),
    })
    return isCurrent
  })

/** Ends all of the acting user's sessions but the one that asks. */
export const endOwnOtherSessions = (context: Context, asking: string): Promise<void> =>
  change(context, async (inside) => {
    const user = actorOf(context)
    const count = await endOtherSessions(inside, user.id, asking)
    if (count === 0) return inside.unchanged()
    await inside.record({
      log: 'auth',
      description: 'other sessions ended',
      subject: { type: 'user', id: user.id },
      attributes: { sessions: count },
    })
  })
