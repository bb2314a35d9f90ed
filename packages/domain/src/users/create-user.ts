import type { NewUser, User } from '@kustos/contract/users'
import { users } from '@kustos/database/tables'
import { change } from '../audit.ts'
import { faultOf, hashPassword } from '../auth/index.ts'
import type { Context } from '../context.ts'
import { invalid } from '../errors.ts'
import { demandGrantable, takeAuthority } from './authority.ts'
import { heldRoles, listRoles, presentUser } from './read.ts'
import { faultsOf, logged, setRoles, userSubject, withFreeEmail } from './user-row.ts'

/**
 * Adds a user.
 * @throws DomainError invalid for a taken e-mail (a deleted user's too), a password that is easily guessed, an unknown
 * role; forbidden for a role that holds what the acting user lacks
 */
export async function createUser(context: Context, input: NewUser): Promise<User> {
  const { email, name, roles: chosen, monitoring_mail_subscription } = input
  const fault = await faultOf(input.password, input)
  const hash = await hashPassword(input.password)
  return withFreeEmail(() =>
    change(context, async (inside) => {
      const authority = await takeAuthority(inside)
      const faults = {
        ...(await faultsOf(inside, authority, input, null)),
        ...(fault !== null && { password: fault }),
      }
      if (Object.keys(faults).length > 0) throw invalid(faults)
      demandGrantable(authority, chosen)
      const now = inside.now()
      const [row] = await inside.db
        .insert(users)
        .values({
          email,
          name,
          password_hash: hash,
          monitoring_mail_subscription,
          created_at: now,
          updated_at: now,
        })
        .returning()
      if (!row) throw new Error('The user was not kept')
      await setRoles(inside, row.id, [], chosen)
      const user = presentUser(row, (await heldRoles(inside.db, row.id)).get(row.id) ?? [])
      await inside.record({
        log: 'users',
        description: 'created',
        subject: userSubject(user.id),
        attributes: logged(user),
      })
      return user
    }),
  )
}

/** The ids of roles that are named as staff call them. @throws DomainError invalid, for roles */
export async function rolesNamed(context: Context, names: readonly string[]): Promise<number[]> {
  const known = await listRoles(context)
  return names.map((name) => {
    const role = known.find((one) => one.name === name)
    if (!role) throw invalid({ roles: `There is no role '${name}'` })
    return role.id
  })
}
