import { credentialsNotValid, type Login } from '@kustos/contract/auth'
import { users } from '@kustos/database/tables'
import { and, isNull, sql } from 'drizzle-orm'
import { change } from '../audit.ts'
import type { Context } from '../context.ts'
import { DomainError } from '../errors.ts'
import { returnAttempt, takeAttempt } from './attempts.ts'
import { verifyPassword } from './passwords.ts'
import { endSession } from './sessions.ts'

/**
 * Checks credentials. A wrong password, an unknown e-mail and a deleted user get the same answer in the same time.
 * @param address the visitor's, for the limits
 * @returns the user's id
 * @throws DomainError unauthenticated, or too-many even where the password is right
 */
export async function signIn(context: Context, { email, password }: Login, address: string): Promise<number> {
  const typed = email.toLowerCase()
  const attempt = await takeAttempt(context.db, typed, address, context.now())
  const [user] = await context.db
    .select({ id: users.id, hash: users.password_hash })
    .from(users)
    .where(and(sql`lower(${users.email}) = ${typed}`, isNull(users.deleted_at)))
  const right = await verifyPassword(user?.hash ?? null, password)
  await change(context, async (inside) => {
    if (right) await returnAttempt(inside, attempt)
    await inside.record({
      log: 'auth',
      description: right ? 'signed in' : 'sign-in refused',
      attributes: right ? { address } : { email: typed, address },
      ...(user && { subject: { type: 'user', id: user.id } }),
      ...(user && right && { causerId: user.id }),
    })
  })
  if (!user || !right) throw new DomainError('unauthenticated', credentialsNotValid)
  return user.id
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
