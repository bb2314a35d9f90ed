import type { Login } from '@kustos/contract/auth'
import { message } from '@kustos/contract/messages'
import { users } from '@kustos/database/tables'
import { and, isNull, sql } from 'drizzle-orm'
import { withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'
import { mailNewBrowser } from './account-mails.ts'
import { acceptPassword, attemptPassword, type Visitor } from './attempt-password.ts'
import { endExcessSessions, endSession, lockSessionsOf } from './sessions.ts'

interface UserSession {
  readonly id: string
  readonly userId: number
}

export interface SessionDoor {
  /** The browser's session so far, if somebody is signed in there; the new one takes its place. */
  readonly replaced: UserSession | null
  open(userId: number): Promise<void>
  /** Ends the new session again. */
  shut(): Promise<void>
}

/**
 * Checks credentials and opens a session. A wrong password, an unknown e-mail and a deleted user get the same answer in
 * the same time.
 * @returns the id of the user
 * @throws DomainError unauthenticated; too-many, even if the password is correct
 */
export async function signIn(
  context: Context,
  { email, password }: Login,
  visitor: Visitor,
  session: SessionDoor,
): Promise<number> {
  const typed = email.toLowerCase()
  const [user] = await context.db
    .select({ id: users.id, hash: users.password_hash, email: users.email })
    .from(users)
    .where(and(sql`lower(${users.email}) = ${typed}`, isNull(users.deleted_at)))
  const entered = { email: typed, user: user ?? null, password, refusal: 'sign-in refused' } as const
  const attempt = await attemptPassword(context, entered, visitor)
  if (!user || !attempt) throw new DomainError('unauthenticated', message('credentials_not_valid'))
  const { id } = user
  if (session.replaced) await signOut(context, session.replaced)
  await session.open(id)
  try {
    const isSignedIn = await withAudit(context, async (tx) => {
      if (!(await acceptPassword(tx, attempt))) return false
      for (const old of await endExcessSessions(tx, id))
        await tx.record({
          log: 'auth',
          description: 'session ended',
          subject: { type: 'user', id },
          old,
          causerId: id,
        })
      await tx.record({
        log: 'auth',
        description: 'signed in',
        subject: { type: 'user', id },
        attributes: { address: visitor.address },
        causerId: id,
      })
      if (!attempt.isKnownDevice) await mailNewBrowser(tx, { ...visitor, email: user.email })
      return true
    })
    if (!isSignedIn) throw new DomainError('unauthenticated', message('credentials_not_valid'))
  } catch (error) {
    await session.shut()
    throw error
  }
  return id
}

export const signOut = (context: Context, { id, userId }: UserSession): Promise<void> =>
  withAudit(context, async (tx) => {
    await lockSessionsOf(tx, userId)
    tx.endsOwnSession()
    if (!(await endSession(tx.db, id))) return tx.skipAudit()
    await tx.record({
      log: 'auth',
      description: 'signed out',
      subject: { type: 'user', id: userId },
      causerId: userId,
    })
  })
