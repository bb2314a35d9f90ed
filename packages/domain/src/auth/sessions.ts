import { createHash } from 'node:crypto'
import { confirmationMinutes } from '@kustos/contract/route'
import { cachePreparedQuery, type Database, type Transaction } from '@kustos/database/client'
import { emailChanges, sessions, users } from '@kustos/database/tables'
import { and, desc, eq, exists, gt, lte, ne, notInArray, sql } from 'drizzle-orm'
import type { Context, Scope } from '../platform/context.ts'
import { forgetAttempts } from './attempts.ts'

/** The database stores only a hash of each session id. */
export const hashId = (id: string): string => createHash('sha256').update(id).digest('base64url')

export type SessionData = Record<string, unknown>

/** Where a session was last used. */
export interface SessionClient {
  readonly address: string
  readonly userAgent: string | undefined
}

export interface KeptSession {
  readonly userId: number
  readonly remembered: boolean
  readonly data: SessionData
  /** Null if unknown. */
  readonly client: SessionClient | null
}

export interface FoundSession {
  readonly data: SessionData
  readonly lastSeenAt: Date
  readonly lastClient: LastClient
}

/** The columns of the client that used a session last. */
type LastClient = ReturnType<typeof toClientColumns>

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** From the sign-in to the end of a remembered session, and the longest life of any other. */
export const rememberedSessionMs = 30 * 24 * hourMs
/** Other sessions end when they have not been used for this long. */
const idleTimeoutMs = 8 * hourMs
/** `last_seen_at` is written at most this often. */
const lastSeenIntervalMs = minuteMs
const maxUserAgentLength = 400
/** The limit for a user on all devices together. */
const maxSessions = 20

const sessionQuery = cachePreparedQuery((db) =>
  db
    .select()
    .from(sessions)
    .where(eq(sessions.id, sql.placeholder('key')))
    .prepare('session'),
)

/** @returns null if unknown or expired */
export async function findSession(db: Database, id: string, now: Date): Promise<FoundSession | null> {
  const [found] = await sessionQuery(db).execute({ key: hashId(id) })
  if (!found || found.expires_at <= now) return null
  const { data, last_seen_at: lastSeenAt, address, user_agent } = found
  return { data, lastSeenAt, lastClient: { address, user_agent } }
}

interface SessionUse {
  readonly lastSeenAt: Date
  readonly lastClient: LastClient
  readonly client: SessionClient
  /** Whether only a screen refreshes, or pretends to. */
  readonly isUnattended: boolean
}

/**
 * Notes the use of a session, and extends it. An unattended use does not extend it, and is noted only if it comes from
 * another client, which may have stolen the session. One that has since been ended stays ended.
 */
export async function noteUse(db: Database, id: string, use: SessionUse, now: Date): Promise<void> {
  if (now.getTime() - use.lastSeenAt.getTime() <= lastSeenIntervalMs) return
  const client = toClientColumns(use.client)
  const isSameClient =
    client.address === use.lastClient.address && client.user_agent === use.lastClient.user_agent
  if (use.isUnattended && isSameClient) return
  await db
    .update(sessions)
    .set({
      ...client,
      last_seen_at: now,
      ...(!use.isUnattended && {
        expires_at: sql`case
          when ${sessions.remembered} then ${sessions.expires_at}
          else ${withinLimit(later(now, idleTimeoutMs))} end`,
      }),
    })
    .where(eq(sessions.id, hashId(id)))
}

/** A condition: whether a session of a user is open. Reading it does not extend the session. */
export const openSessionExists = (db: Transaction, id: string, userId: number, now: Date) =>
  exists(
    db
      .select({ number: sessions.number })
      .from(sessions)
      .where(isOpen(id, userId, now)),
  )

/** @returns null for a session that has ended; whether its user has entered the password recently */
export async function readOpenSession(
  db: Transaction,
  id: string,
  userId: number,
  now: Date,
): Promise<{ readonly isConfirmed: boolean } | null> {
  const [found] = await db
    .select({ confirmedAt: sessions.confirmed_at })
    .from(sessions)
    .where(isOpen(id, userId, now))
  if (!found) return null
  const { confirmedAt } = found
  const since = now.getTime() - confirmationMinutes * minuteMs
  return { isConfirmed: confirmedAt !== null && confirmedAt.getTime() > since }
}

/** Keeps a session from being ended before the transaction. @returns false for one that has ended */
export async function lockOpenSession(
  db: Transaction,
  id: string,
  userId: number,
  now: Date,
): Promise<boolean> {
  const found = await db
    .select({ number: sessions.number })
    .from(sessions)
    .where(isOpen(id, userId, now))
    .for('key share')
  return found.length > 0
}

const isOpen = (id: string, userId: number, now: Date) =>
  and(eq(sessions.id, hashId(id)), eq(sessions.user_id, userId), gt(sessions.expires_at, now))

/** Notes that the user of a session has entered the password. */
export async function markConfirmed({ db, now }: Scope, id: string): Promise<void> {
  await db
    .update(sessions)
    .set({ confirmed_at: now() })
    .where(eq(sessions.id, hashId(id)))
}

const later = (now: Date, limitMs: number) =>
  sql`${new Date(now.getTime() + limitMs).toISOString()}::timestamptz`

const withinLimit = (time: ReturnType<typeof later>) =>
  sql`least(${time}, ${sessions.created_at} + ${`${rememberedSessionMs} milliseconds`}::interval)`

const toClientColumns = ({
  address,
  userAgent,
}: SessionClient): { readonly address: string | null; readonly user_agent: string | null } => ({
  address,
  user_agent: userAgent === undefined ? null : userAgent.replace(/\p{Cc}/gu, '').slice(0, maxUserAgentLength),
})

export async function keepSession(db: Database, id: string, session: KeptSession, now: Date): Promise<void> {
  const { userId, remembered, data, client } = session
  const limitMs = remembered ? rememberedSessionMs : idleTimeoutMs
  const values = {
    user_id: userId,
    remembered,
    data,
    ...(client && toClientColumns(client)),
    last_seen_at: now,
  }
  await db
    .insert(sessions)
    .values({
      id: hashId(id),
      created_at: now,
      confirmed_at: now,
      expires_at: new Date(now.getTime() + limitMs),
      ...values,
    })
    .onConflictDoUpdate({
      target: sessions.id,
      set: { ...values, expires_at: withinLimit(later(now, limitMs)) },
    })
}

/** @returns false if it had ended already */
export async function endSession(db: Pick<Database, 'delete'>, id: string): Promise<boolean> {
  const { rowCount } = await db.delete(sessions).where(eq(sessions.id, hashId(id)))
  return rowCount !== 0
}

/**
 * Makes changes that end sessions of a user wait for each other, so that of two sessions that end each other one remains.
 */
export async function lockSessionsOf({ db }: Scope, userId: number): Promise<void> {
  await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
}

/** Ends the sessions of a user, which are locked, but for one. @returns how many */
export async function endOtherSessions(scope: Scope, userId: number, keep: string | null): Promise<number> {
  const ended = await scope.db
    .delete(sessions)
    .where(and(eq(sessions.user_id, userId), keep === null ? sql`true` : ne(sessions.id, hashId(keep))))
    .returning({ number: sessions.number })
  return ended.length
}

/**
 * Ends the oldest sessions of a user beyond twenty.
 * @returns where they were last used
 */
export const endExcessSessions = (scope: Scope, userId: number) => {
  const kept = scope.db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.user_id, userId), gt(sessions.expires_at, scope.now())))
    .orderBy(desc(sessions.created_at), desc(sessions.number))
    .limit(maxSessions)
  return scope.db
    .delete(sessions)
    .where(
      and(eq(sessions.user_id, userId), gt(sessions.expires_at, scope.now()), notInArray(sessions.id, kept)),
    )
    .returning({ address: sessions.address, user_agent: sessions.user_agent })
}

interface Purged {
  readonly sessions: number
  readonly emailChanges: number
  readonly attempts: number
}

export async function purgeExpired(context: Context): Promise<Purged> {
  const now = context.now()
  const expired = await context.db
    .delete(sessions)
    .where(lte(sessions.expires_at, now))
    .returning({ id: sessions.id })
  const { rowCount } = await context.db.delete(emailChanges).where(lte(emailChanges.expires_at, now))
  return {
    sessions: expired.length,
    emailChanges: rowCount ?? 0,
    attempts: await forgetAttempts(context.db, now),
  }
}
