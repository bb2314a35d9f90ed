import { createHash } from 'node:crypto'
import { type Database, prepared, type Transaction } from '@kustos/database/client'
import { sessions } from '@kustos/database/tables'
import { and, eq, gt, lte, ne, sql } from 'drizzle-orm'
import type { Context, Scope } from '../platform/context.ts'
import { forgetAttempts } from './attempts.ts'

/** The database stores only a hash of each session id. */
export const hashId = (id: string): string => createHash('sha256').update(id).digest('base64url')

export type SessionData = Record<string, unknown>

/** Where a session was last used. */
export interface Place {
  readonly address: string
  readonly userAgent: string | undefined
}

export interface KeptSession {
  readonly userId: number
  readonly remembered: boolean
  readonly data: SessionData
  /** Null if unknown. */
  readonly place: Place | null
}

export interface FoundSession {
  readonly data: SessionData
  readonly lastSeenAt: Date
}

const minute = 60_000
const hour = 60 * minute

/** Milliseconds from the sign-in to the end of a remembered session, and the longest life of any other. */
export const rememberedFor = 30 * 24 * hour
/** Other sessions end when they have not been used for this long. */
const idleLimit = 8 * hour
/** `last_seen_at` is written at most this often. */
const seenEvery = minute
const longestName = 400

const sessionOf = prepared((db) =>
  db
    .select()
    .from(sessions)
    .where(eq(sessions.id, sql.placeholder('key')))
    .prepare('session'),
)

/** @returns null if unknown or expired */
export async function findSession(db: Database, id: string, now: Date): Promise<FoundSession | null> {
  const [found] = await sessionOf(db).execute({ key: hashId(id) })
  if (!found || found.expires_at <= now) return null
  return { data: found.data, lastSeenAt: found.last_seen_at }
}

/** Extends a session that is used. One that has since been ended stays ended. */
export async function keepAlive(
  db: Database,
  id: string,
  session: { readonly lastSeenAt: Date; readonly place: Place },
  now: Date,
): Promise<void> {
  if (now.getTime() - session.lastSeenAt.getTime() <= seenEvery) return
  await db
    .update(sessions)
    .set({
      ...columnsOf(session.place),
      last_seen_at: now,
      expires_at: sql`case
        when ${sessions.remembered} then ${sessions.expires_at}
        else ${withinLimit(later(now, idleLimit))} end`,
    })
    .where(eq(sessions.id, hashId(id)))
}

/** Whether a session is still valid. Does not extend it. */
export async function isSignedIn(db: Transaction, id: string, userId: number, now: Date): Promise<boolean> {
  const [found] = await db
    .select({ number: sessions.number })
    .from(sessions)
    .where(and(eq(sessions.id, hashId(id)), eq(sessions.user_id, userId), gt(sessions.expires_at, now)))
  return found !== undefined
}

const later = (now: Date, limit: number) => sql`${new Date(now.getTime() + limit).toISOString()}::timestamptz`

const withinLimit = (time: ReturnType<typeof later>) =>
  sql`least(${time}, ${sessions.created_at} + ${`${rememberedFor} milliseconds`}::interval)`

const columnsOf = ({ address, userAgent }: Place) => ({
  address,
  user_agent: userAgent === undefined ? null : userAgent.replace(/\p{Cc}/gu, '').slice(0, longestName),
})

export async function keepSession(db: Database, id: string, session: KeptSession, now: Date): Promise<void> {
  const { userId, remembered, data, place } = session
  const limit = remembered ? rememberedFor : idleLimit
  const values = { user_id: userId, remembered, data, ...(place && columnsOf(place)), last_seen_at: now }
  await db
    .insert(sessions)
    .values({ id: hashId(id), created_at: now, expires_at: new Date(now.getTime() + limit), ...values })
    .onConflictDoUpdate({
      target: sessions.id,
      set: { ...values, expires_at: withinLimit(later(now, limit)) },
    })
}

export async function endSession(db: Pick<Database, 'delete'>, id: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, hashId(id)))
}

/** Ends the sessions of a user, but for one. @returns how many */
export async function endOtherSessions(scope: Scope, userId: number, keep: string | null): Promise<number> {
  const ended = await scope.db
    .delete(sessions)
    .where(and(eq(sessions.user_id, userId), keep === null ? sql`true` : ne(sessions.id, hashId(keep))))
    .returning({ number: sessions.number })
  return ended.length
}

export async function purgeExpired(context: Context): Promise<{ sessions: number; attempts: number }> {
  const now = context.now()
  const expired = await context.db
    .delete(sessions)
    .where(lte(sessions.expires_at, now))
    .returning({ id: sessions.id })
  return { sessions: expired.length, attempts: await forgetAttempts(context.db, now) }
}
