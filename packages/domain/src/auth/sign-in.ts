import type { Login } from '@kustos/contract/auth'
import { message } from '@kustos/contract/messages'
import { users } from '@kustos/database/tables'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { RefusedSignIns } from '../logs/index.ts'
import { type AuditTransaction, withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'
import { networkOf } from '../platform/network.ts'
import { returnAttempt, takeAttempt } from './attempts.ts'
import { verifyPassword } from './passwords.ts'
import { endSession } from './sessions.ts'

export interface SessionDoor {
  open(userId: number): Promise<void>
  /** Ends the new session again. */
  shut(): Promise<void>
}

/**
 * Checks credentials and opens a session. A wrong password, an unknown e-mail and a deleted user get the same answer in
 * the same time.
 * @param address of the visitor
 * @param refused logs the sign-ins that exceed the limits
 * @throws DomainError unauthenticated; too-many, even if the password is correct
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
      if (error instanceof DomainError && error.kind === 'too-many')
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
  const refuse = (tx: AuditTransaction) =>
    tx.record({ ...entry, description: 'sign-in refused', attributes: { email: typed, address } })
  if (!user || !isRight) {
    await withAudit(context, refuse)
    throw new DomainError('unauthenticated', message('credentials_not_valid'))
  }
  await session.open(user.id)
  try {
    const isSignedIn = await withAudit(context, async (tx) => {
      if (!(await isUnchanged(tx, user))) return refuse(tx).then(() => false)
      await returnAttempt(tx, attempt)
      await tx.record({ ...entry, description: 'signed in', attributes: { address }, causerId: user.id })
      return true
    })
    if (!isSignedIn) throw new DomainError('unauthenticated', message('credentials_not_valid'))
  } catch (error) {
    await session.shut()
    throw error
  }
}

/**
 * Whether the password has not changed since it was checked. The lock makes a simultaneous change of the password wait,
 * so that it ends the new session as well.
 */
async function isUnchanged(tx: AuditTransaction, user: { id: number; hash: string }): Promise<boolean> {
  const [now] = await tx.db
    .select({ hash: users.password_hash, deletedAt: users.deleted_at })
    .from(users)
    .where(eq(users.id, user.id))
    .for('share')
  return now !== undefined && now.deletedAt === null && now.hash === user.hash
}

export const signOut = (context: Context, session: string): Promise<void> =>
  withAudit(context, async (tx) => {
    await endSession(tx.db, session)
    await tx.record({
      log: 'auth',
      description: 'signed out',
      ...(context.actor && { subject: { type: 'user', id: context.actor.id } }),
    })
  })
