import { newPassword, ownSettings } from '@kustos/contract/users'
import { roles, userRoles, users } from '@kustos/database/tables'
import { inArray } from 'drizzle-orm'
import { z } from 'zod'
import { change } from '../audit.ts'
import { hashPassword } from '../auth/index.ts'
import type { Context } from '../context.ts'
import { brokeUnique, invalid } from '../errors.ts'

export const newUser = z.object({
  email: ownSettings.shape.email,
  name: ownSettings.shape.name,
  password: newPassword,
  /** By name. */
  roles: z.array(z.string()).min(1, 'A user needs a role'),
})
export type NewUser = z.output<typeof newUser>

/** @throws DomainError invalid for a taken e-mail or an unknown role */
export async function createUser(context: Context, input: NewUser): Promise<number> {
  const hash = await hashPassword(input.password)
  try {
    return await change(context, async (inside) => {
      const known = await inside.db.select().from(roles).where(inArray(roles.name, input.roles))
      const unknown = input.roles.find((name) => !known.some((role) => role.name === name))
      if (unknown !== undefined) throw invalid({ roles: `There is no role '${unknown}'` })
      const now = inside.now()
      const { email, name } = input
      const [user] = await inside.db
        .insert(users)
        .values({ email, name, password_hash: hash, created_at: now, updated_at: now })
        .returning({ id: users.id })
      if (!user) throw new Error('The user was not kept')
      await inside.db.insert(userRoles).values(known.map((role) => ({ user_id: user.id, role_id: role.id })))
      await inside.record({
        log: 'users',
        description: 'created',
        subject: { type: 'user', id: user.id },
        attributes: { email, name, roles: input.roles },
      })
      return user.id
    })
  } catch (error) {
    if (brokeUnique(error, 'users_email_in_any_case'))
      throw invalid({ email: 'This e-mail is taken already' })
    throw error
  }
}
