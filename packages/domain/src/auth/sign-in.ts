import { credentialsNotValid, type Login } from '@kustos/contract/auth'
import { users } from '@kustos/database/tables'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Change, change } from '../audit.ts'
import type { Context } from '../context.ts'
import { DomainError } from '../errors.ts'
import type { RefusedSignIns } from '../logs/index.ts'
import { networkOf } from '../network.ts'
import { returnAttempt, takeAttempt } from './attempts.ts'
import { verifyPassword } from './passwords.ts'
import { endSession } from './sessions.ts'

/** The visitor's session, which the sign-in replaces. */
export interface SessionDoor {
  /** Keeps a new session of this user. */
  open(userId: number): Promise<void>
  /** Ends it again: it was not to be. */
  shut(): Promise<void>
}

/**
 * Checks credentials and opens a session. A wrong password, an unknown e-mail and a deleted user get the same answer in
 * the same time.
 * @param address the visitor's, for the log; the limits count its network
 * @param refused told of what the limits refuse
 * @throws DomainError unauthenticated, or too-many even where the password is right
 */
export async function signIn(
  context: Context,
  { email, password }: Login,
  address: string,
  session: SessionDoor,
  refused: RefusedSignIns,
): Promise<void> {
  const typed = email.toLowerCase()
  const attempt = await takeAttempt(context.db, typed, networkOf(address), context.now()).catch(
    async (error: unknown) => {
      if (error instanceof DomainError && error.code === 'too-many')
        await refused.note(context, typed, address)
      throw error
    },
  )
  const [user] = await context.db
    .select({ id: users.id, hash: users.password_hash })
    .from(users)
    .where(and(sql`lower(${users.email}) = ${typed}`, isNull(users.deleted_at)))
  const isRight = await verifyPassword(user?.hash ?? null, password)
  const entry = { log: 'auth' as const, ...(user && { subject: { type: 'user', id: user.id } }) }
  const refuse = (inside: Change) =>
    inside.record({ ...entry, description: 'sign-in refused', attributes: { email: typed, address } })
  if (!user || !isRight) {
    await change(context, refuse)
    throw new DomainError('unauthenticated', credentialsNotValid)
  }
  await session.open(user.id)
  try {
    const isSignedIn = await change(context, async (inside) => {
      if (!(await isStill(inside, user))) return refuse(inside).then(() => false)
      await returnAttempt(inside, attempt)
      await inside.record({ ...entry, description: 'signed in', attributes: { address }, causerId: user.id })
      return true
    })
    if (!isSignedIn) throw new DomainError('unauthenticated', credentialsNotValid)
  } catch (error) {
    await session.shut()
    throw error
  }
}

/**
 * Whether the password that was checked is the user's still. A change of it ends the sessions that it finds: it waits for
 * this, or this for it, so that none opens in between.
 */
async function isStill(inside: Change, user: { id: number; hash: string }): Promise<boolean> {
  const [now] = await inside.db
    .select({ hash: users.password_hash, deletedAt: users.deleted_at })
    .from(users)
    .where(eq(users.id, user.id))
    .for('share')
  return now !== undefined && now.deletedAt === null && now.hash === user.hash
}

/** Ends the acting user's session. */
export const signOut = (context: Context, session: string): Promise<void> =>
  change(context, async (inside) => {
    await endSession(inside.db, session)
    await inside.record({
      log: 'auth',
      description: 'signed out',
      ...(context.actor && { subject: { type: 'user', id: context.actor.id } }),
    })
  })
