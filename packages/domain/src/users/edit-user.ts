import { can } from '@kustos/contract/permissions'
import { type UserChange, usersRoutes } from '@kustos/contract/users'
import { users } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { after, change, changedMeanwhile, difference } from '../audit.ts'
import { endOtherSessions, faultOf, hashPassword } from '../auth/index.ts'
import { actorOf, type Context } from '../context.ts'
import { forbidden, invalid } from '../errors.ts'
import { demandAnotherAdmin, demandGrantable, demandReach, takeAuthority } from './authority.ts'
import { faultsOf, lockUser, logged, setRoles, userSubject, withFreeEmail } from './user-row.ts'

/**
 * Changes a user: everyone themselves, who manages users anybody. Fields left out stay as they are; roles stay where the
 * acting user does not manage users. A new password ends the user's sessions.
 * @param session the id of the session that asks, which stays where it is the user's own
 * @throws DomainError not-found, also for a deleted one; forbidden for somebody else's data, and for what is beyond the
 * acting user; conflict where the user has changed since `updated_at`, and for the last admin; invalid
 */
export async function editUser(
  context: Context,
  id: number,
  { password, ...input }: UserChange,
  session: string,
): Promise<void> {
  const mayManage = (actor: Context['actor']) => can(actor, usersRoutes.listUsers.access)
  const isOwn = actorOf(context).id === id
  if (!isOwn && !mayManage(context.actor)) throw forbidden('Users change their own data only.')
  const fault = password == null ? null : await faultOf(password, input)
  const hash = password == null ? null : await hashPassword(password)
  await withFreeEmail(() =>
    change(context, async (inside) => {
      const authority = await takeAuthority(inside)
      if (!isOwn && !mayManage(authority.actor)) throw forbidden('Users change their own data only.')
      const { row, user } = await lockUser(inside, id, 'living')
      const held = user.roles.map((role) => role.id)
      if (!isOwn) demandReach(authority, held)
      if (input.updated_at !== undefined && Date.parse(input.updated_at) !== row.updated_at.getTime())
        throw await changedMeanwhile(inside, userSubject(id), 'user', row.updated_at)
      const chosen = mayManage(authority.actor) ? input.roles : undefined
      const faults = {
        ...(await faultsOf(inside, authority, { email: input.email, roles: chosen }, { id, held })),
        ...(fault !== null && { password: fault }),
      }
      if (Object.keys(faults).length > 0) throw invalid(faults)
      const roleIds = chosen ?? held
      demandGrantable(
        authority,
        roleIds.filter((roleId) => !held.includes(roleId)),
      )
      const isAdmins = (ids: readonly number[]) => ids.includes(authority.adminRoleId)
      if (isAdmins(held) && !isAdmins(roleIds)) await demandAnotherAdmin(inside, authority, id)
      const next = {
        email: input.email,
        name: input.name,
        monitoring_mail_subscription: input.monitoring_mail_subscription ?? user.monitoring_mail_subscription,
      }
      const roles = authority.roles.filter((role) => roleIds.includes(role.id))
      const changed = difference(logged(user), logged({ ...next, roles }))
      if (!changed && hash === null) return inside.unchanged()
      await setRoles(inside, id, held, roleIds)
      await inside.db
        .update(users)
        .set({ ...next, ...(hash !== null && { password_hash: hash }), updated_at: after(row, inside) })
        .where(eq(users.id, id))
      if (hash !== null) await endOtherSessions(inside, id, isOwn ? session : null)
      await inside.record({
        log: 'users',
        description: hash === null ? 'updated' : 'updated, with a new password',
        subject: userSubject(id),
        ...(changed ?? {}),
      })
    }),
  )
}
