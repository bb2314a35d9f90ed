import { message } from '@kustos/contract/messages'
import type { NewUser, User } from '@kustos/contract/users'
import { users } from '@kustos/database/tables'
import { faultOf, hashPassword } from '../auth/index.ts'
import { withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { invalid } from '../platform/errors.ts'
import { assertCanGrantRoles, lockPermissions } from './authority.ts'
import { heldRoles, listRoles, presentUser } from './read.ts'
import { faultsOf, logged, setRoles, userSubject, withFreeEmail } from './user-row.ts'

/**
 * @throws DomainError invalid for a taken e-mail (also by a deleted user), a weak password or an unknown role; forbidden
 * for a role with permissions that the acting user lacks
 */
export async function createUser(context: Context, input: NewUser): Promise<User> {
  const { email, name, roles: chosen, monitoring_mail_subscription } = input
  const fault = await faultOf(input.password, input)
  const hash = await hashPassword(input.password)
  return withFreeEmail(() =>
    withAudit(context, async (tx) => {
      const authority = await lockPermissions(tx)
      const faults = {
        ...(await faultsOf(tx, authority, input, null)),
        ...(fault !== null && { password: fault }),
      }
      if (Object.keys(faults).length > 0) throw invalid(faults)
      assertCanGrantRoles(authority, chosen)
      const now = tx.now()
      const [row] = await tx.db
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
      if (!row) throw new Error('The user was not inserted')
      await setRoles(tx, row.id, [], chosen)
      const user = presentUser(row, (await heldRoles(tx.db, row.id)).get(row.id) ?? [])
      await tx.record({
        log: 'users',
        description: 'created',
        subject: userSubject(user.id),
        attributes: logged(user),
      })
      return user
    }),
  )
}

/** @returns the ids of the named roles @throws DomainError invalid, for roles */
export async function rolesNamed(context: Context, names: readonly string[]): Promise<number[]> {
  const known = await listRoles(context)
  return names.map((name) => {
    const role = known.find((one) => one.name === name)
    if (!role) throw invalid({ roles: message('role_named_unknown', { name }) })
    return role.id
  })
}
