import { users } from '@kustos/database/tables'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { after, change } from '../audit.ts'
import { endOtherSessions, faultOf, hashPassword } from '../auth/index.ts'
import type { Context } from '../context.ts'
import { invalid, notFound } from '../errors.ts'
import { userSubject } from './user-row.ts'

/**
 * Gives the user of an e-mail a new password, for an operator at the command line. All of the user's sessions end.
 * @throws DomainError not-found for an unknown or a deleted user; invalid for a password that is easily guessed
 */
export async function setPassword(context: Context, email: string, password: string): Promise<void> {
  const hash = await hashPassword(password)
  await change(context, async (inside) => {
    const [row] = await inside.db
      .select()
      .from(users)
      .where(and(sql`lower(${users.email}) = lower(${email})`, isNull(users.deleted_at)))
      .for('update')
    if (!row) throw notFound(`The user ${email}`)
    const fault = await faultOf(password, row)
    if (fault !== null) throw invalid({ password: fault })
    await inside.db
      .update(users)
      .set({ password_hash: hash, updated_at: after(row, inside) })
      .where(eq(users.id, row.id))
    await endOtherSessions(inside, row.id, null)
    await inside.record({
      log: 'users',
      description: 'updated, with a new password',
      subject: userSubject(row.id),
    })
  })
}
