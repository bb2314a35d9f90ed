import type { OwnSettings } from '@kustos/contract/users'
import { users } from '@kustos/database/tables'
import { and, eq, isNull } from 'drizzle-orm'
import { change, difference } from '../audit.ts'
import { endOtherSessions, hashPassword } from '../auth/index.ts'
import type { Context } from '../context.ts'
import { brokeUnique, forbidden, invalid, notFound } from '../errors.ts'

/**
 * Changes the acting user's own data. A new password ends their other sessions.
 * @param session the id of the session that asks, which stays
 */
export async function editOwnSettings(
  context: Context,
  id: number,
  settings: OwnSettings,
  session: string | null,
): Promise<void> {
  if (context.actor?.id !== id) throw forbidden('Users change their own data only.')
  const hash = settings.password == null ? null : await hashPassword(settings.password)
  try {
    await change(context, async (inside) => {
      const [user] = await inside.db
        .select()
        .from(users)
        .where(and(eq(users.id, id), isNull(users.deleted_at)))
        .for('update')
      if (!user) throw notFound(`User ${id}`)
      const before = shown(user)
      const after = {
        email: settings.email,
        name: settings.name,
        monitoring_mail_subscription:
          settings.monitoring_mail_subscription ?? user.monitoring_mail_subscription,
      }
      const changed = difference(before, after)
      if (!changed && hash === null) return inside.unchanged()
      await inside.db
        .update(users)
        .set({ ...after, ...(hash !== null && { password_hash: hash }), updated_at: inside.now() })
        .where(eq(users.id, id))
      if (hash !== null) await endOtherSessions(inside, id, session)
      await inside.record({
        log: 'users',
        description: hash === null ? 'updated' : 'updated, with a new password',
        subject: { type: 'user', id },
        ...(changed ?? {}),
      })
    })
  } catch (error) {
    if (brokeUnique(error, 'users_email_in_any_case'))
      throw invalid({ email: 'This e-mail is taken already' })
    throw error
  }
}

const shown = (user: typeof users.$inferSelect) => ({
  email: user.email,
  name: user.name,
  monitoring_mail_subscription: user.monitoring_mail_subscription,
})
