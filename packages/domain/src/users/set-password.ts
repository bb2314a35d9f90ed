import { users } from '@kustos/database/tables'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { endOtherSessions, faultOf, hashPassword } from '../auth/index.ts'
import { nextUpdatedAt, withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { invalid, notFound } from '../platform/errors.ts'
import { userSubject } from './user-row.ts'

/**
 * Sets a password at the command line and ends all sessions of the user.
 * @throws DomainError not-found for an unknown or deleted user; invalid for a weak password
 */
export async function setPassword(context: Context, email: string, password: string): Promise<void> {
  const hash = await hashPassword(password)
  await withAudit(context, async (tx) => {
    const [row] = await tx.db
      .select()
      .from(users)
      .where(and(sql`lower(${users.email}) = lower(${email})`, isNull(users.deleted_at)))
      .for('update')
    if (!row) throw notFound('user_with_email_not_found', { email })
    const fault = await faultOf(password, row)
    if (fault !== null) throw invalid({ password: fault })
    await tx.db
      .update(users)
      .set({ password_hash: hash, updated_at: nextUpdatedAt(row, tx) })
      .where(eq(users.id, row.id))
    await endOtherSessions(tx, row.id, null)
    await tx.record({
      log: 'users',
      description: 'updated, with a new password',
      subject: userSubject(row.id),
    })
  })
}
