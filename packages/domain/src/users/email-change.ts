import { createHash, randomBytes } from 'node:crypto'
import { message } from '@kustos/contract/messages'
import { emailChanges, users } from '@kustos/database/tables'
import { and, eq, gt } from 'drizzle-orm'
import { mailEmailRequest, mailNewEmail } from '../auth/index.ts'
import { type AuditTransaction, nextUpdatedAt, withAudit } from '../platform/audit.ts'
import { type Context, requireActor, type Scope } from '../platform/context.ts'
import { invalid, mapUniqueViolation } from '../platform/errors.ts'
import { lockPermissions } from './authority.ts'
import { lockUser, userEntry, userSubject } from './user-row.ts'

const validForMs = 3_600_000

const hashToken = (token: string) => createHash('sha256').update(token).digest('base64url')

/** Sends a link to the new address, and tells the old one. Replaces an earlier request. */
export async function requestEmailChange(
  tx: AuditTransaction,
  user: { readonly id: number; readonly email: string },
  email: string,
): Promise<void> {
  const token = randomBytes(32).toString('base64url')
  const request = {
    email,
    token_hash: hashToken(token),
    expires_at: new Date(tx.now().getTime() + validForMs),
  }
  await tx.db
    .insert(emailChanges)
    .values({ user_id: user.id, ...request })
    .onConflictDoUpdate({ target: emailChanges.user_id, set: request })
  await mailEmailRequest(tx, { old: user.email, email, token })
}

/** Such as with a new password, or for a deleted user. */
export async function forgetEmailChange({ db }: Scope, userId: number): Promise<boolean> {
  const { rowCount } = await db.delete(emailChanges).where(eq(emailChanges.user_id, userId))
  return rowCount !== 0
}

/** @returns the acting user's request; null if there is none, or it has expired */
export async function readEmailChange(context: Context) {
  const { id } = requireActor(context)
  const [row] = await context.db
    .select({ email: emailChanges.email, expires_at: emailChanges.expires_at })
    .from(emailChanges)
    .where(and(eq(emailChanges.user_id, id), gt(emailChanges.expires_at, context.now())))
  return { data: row ? { email: row.email, expires_at: row.expires_at.toISOString() } : null }
}

/**
 * Uses the new e-mail, whose address has received the token.
 * @throws DomainError invalid, for token: if it is unknown or has expired, or another user has the e-mail
 */
export const confirmEmailChange = (context: Context, token: string): Promise<void> =>
  mapUniqueViolation({ users_email_in_any_case: () => invalid({ token: message('email_taken') }) }, () =>
    withAudit(context, async (tx) => {
      const { id } = requireActor(context)
      await lockPermissions(tx)
      const { row, user } = await lockUser(tx, id, 'active')
      const [request] = await tx.db
        .delete(emailChanges)
        .where(
          and(
            eq(emailChanges.user_id, id),
            eq(emailChanges.token_hash, hashToken(token)),
            gt(emailChanges.expires_at, tx.now()),
          ),
        )
        .returning({ email: emailChanges.email })
      if (!request) throw invalid({ token: message('email_link_invalid') })
      const { email } = request
      await tx.db
        .update(users)
        .set({ email, updated_at: nextUpdatedAt(row, tx) })
        .where(eq(users.id, id))
      await mailNewEmail(tx, user.email, email)
      await tx.record({ ...userEntry('updated', id), old: { email: user.email }, attributes: { email } })
    }),
  )

/** Does nothing if there is no request. */
export const cancelEmailChange = (context: Context): Promise<void> =>
  withAudit(context, async (tx) => {
    const { id } = requireActor(context)
    // As all changes of a user do first, which may then end the session that this one needs in the end.
    await lockUser(tx, id, 'active')
    if (!(await forgetEmailChange(tx, id))) return tx.skipAudit()
    await tx.record({ log: 'users', description: 'e-mail change cancelled', subject: userSubject(id) })
  })
