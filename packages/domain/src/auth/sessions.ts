import { createHash } from 'node:crypto'
import { type Database, prepared } from '@kustos/database/client'
import { sessions } from '@kustos/database/tables'
import { and, eq, lte, ne, sql } from 'drizzle-orm'
import type { Context, Scope } from '../context.ts'
import { forgetAttempts } from './attempts.ts'

const key = (id: string) => createHash('sha256').update(id).digest('base64url')

/** What a session holds, as the cookie layer gave it. */
export type SessionData = Record<string, unknown>

export interface KeptSession {
  /** None before the sign-in. */
  readonly userId: number | null
  readonly remembered: boolean
  readonly data: SessionData
}

const minute = 60_000
const hour = 60 * minute

/** A remembered session lasts this long, in milliseconds; others end when nobody has used them for `idleLimit`. */
export const rememberedFor = 30 * 24 * hour
const idleLimit = 8 * hour
const visitorLimit = hour
/** How stale last_seen_at may grow: one write in a while instead of one for each request. */
const seenEvery = minute

const sessionOf = prepared((db) =>
  db
    .select()
    .from(sessions)
    .where(eq(sessions.id, sql.placeholder('key')))
    .prepare('session'),
)

/** @returns null for one that is unknown or has expired */
export async function findSession(db: Database, id: string, now: Date): Promise<SessionData | null> {
  const [found] = await sessionOf(db).execute({ key: key(id) })
  if (!found || found.expires_at <= now) return null
  if (now.getTime() - found.last_seen_at.getTime() > seenEvery) {
    await db
      .update(sessions)
      .set({
        last_seen_at: now,
        expires_at: found.remembered ? found.expires_at : expiryOf(found.user_id, now),
      })
      .where(eq(sessions.id, found.id))
  }
  return found.data
}

/** Whether a user's session still counts. To ask keeps nothing alive. */
export async function isSignedIn(db: Database, id: string, userId: number, now: Date): Promise<boolean> {
  const [found] = await sessionOf(db).execute({ key: key(id) })
  return found !== undefined && found.user_id === userId && found.expires_at > now
}

const expiryOf = (userId: number | null, now: Date) =>
  new Date(now.getTime() + (userId === null ? visitorLimit : idleLimit))

export async function keepSession(db: Database, id: string, session: KeptSession, now: Date): Promise<void> {
  const { userId, remembered, data } = session
  const values = {
    user_id: userId,
    remembered,
    data,
    last_seen_at: now,
    expires_at: remembered ? new Date(now.getTime() + rememberedFor) : expiryOf(userId, now),
  }
  await db
    .insert(sessions)
    .values({ id: key(id), created_at: now, ...values })
    .onConflictDoUpdate({ target: sessions.id, set: values })
}

export async function endSession(db: Pick<Database, 'delete'>, id: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, key(id)))
}

/** Ends a user's sessions but the one that asks for it, in the transaction of the change that demands it. */
export async function endOtherSessions(scope: Scope, userId: number, keep: string | null): Promise<void> {
  await scope.db
    .delete(sessions)
    .where(and(eq(sessions.user_id, userId), keep === null ? sql`true` : ne(sessions.id, key(keep))))
}

/** Removes expired sessions and forgotten attempts. Not a change that anybody made, so the log keeps no entry of it. */
export async function purgeExpired(context: Context): Promise<{ sessions: number; attempts: number }> {
  const now = context.now()
  const gone = await context.db
    .delete(sessions)
    .where(lte(sessions.expires_at, now))
    .returning({ id: sessions.id })
  return { sessions: gone.length, attempts: await forgetAttempts(context.db, now) }
}
