import { message } from '@kustos/contract/messages'
import { users } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { withAudit } from '../platform/audit.ts'
import { type Context, requireActor } from '../platform/context.ts'
import { invalid } from '../platform/errors.ts'
import { acceptPassword, attemptPassword, type RightPassword, type Visitor } from './attempt-password.ts'
import { markConfirmed } from './sessions.ts'

/**
 * Checks the acting user's own password, within the limits of sign-ins.
 * @returns null if it is wrong
 * @throws DomainError too-many
 */
export async function attemptOwnPassword(
  context: Context,
  password: string,
  visitor: Visitor,
): Promise<RightPassword | null> {
  const [user] = await context.db
    .select({ id: users.id, hash: users.password_hash, email: users.email })
    .from(users)
    .where(eq(users.id, requireActor(context).id))
  if (!user) return null
  const entered = { email: user.email.toLowerCase(), user, password, refusal: 'password refused' } as const
  return attemptPassword(context, entered, visitor)
}

/**
 * Confirms the password of a session.
 * @throws DomainError invalid for a wrong password; too-many
 */
export async function confirmPassword(
  context: Context,
  password: string,
  visitor: Visitor & { readonly sessionId: string },
): Promise<void> {
  const attempt = await attemptOwnPassword(context, password, visitor)
  const isConfirmed =
    attempt !== null &&
    (await withAudit(context, async (tx) => {
      if (!(await acceptPassword(tx, attempt))) return false
      await markConfirmed(tx, visitor.sessionId)
      await tx.record({
        log: 'auth',
        description: 'password confirmed',
        subject: { type: 'user', id: attempt.user.id },
      })
      return true
    }))
  if (!isConfirmed) throw invalid({ password: message('password_wrong') })
}
