import { can } from '@kustos/contract/permissions'
import { type UserChange, usersRoutes } from '@kustos/contract/users'
import { users } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { endOtherSessions, faultOf, hashPassword } from '../auth/index.ts'
import { difference, nextUpdatedAt, staleWriteError, withAudit } from '../platform/audit.ts'
import { type Context, requireActor } from '../platform/context.ts'
import { forbidden, invalid } from '../platform/errors.ts'
import { assertAnotherAdmin, assertCanGrantRoles, assertCanManage, lockPermissions } from './authority.ts'
import { faultsOf, lockUser, logged, setRoles, userSubject, withFreeEmail } from './user-row.ts'

/**
 * Changes the acting user, or any user if the acting user may manage users, which roles require in any case. Omitted
 * fields stay unchanged. A new password ends the user's other sessions.
 * @param session the id of the current session
 * @throws DomainError not-found, also for a deleted user; forbidden for another user or more permissions than the acting
 * user has; conflict if the user has changed since `updated_at`, and for the last admin; invalid
 */
export async function editUser(
  context: Context,
  id: number,
  { password, ...input }: UserChange,
  session: string,
): Promise<void> {
  const mayManage = (actor: Context['actor']) => can(actor, usersRoutes.listUsers.access)
  const isOwn = requireActor(context).id === id
  if (!isOwn && !mayManage(context.actor)) throw forbidden('own_data_only')
  const fault = password == null ? null : await faultOf(password, input)
  const hash = password == null ? null : await hashPassword(password)
  await withFreeEmail(() =>
    withAudit(context, async (tx) => {
      const authority = await lockPermissions(tx)
      if (!isOwn && !mayManage(authority.actor)) throw forbidden('own_data_only')
      const { row, user } = await lockUser(tx, id, 'active')
      const held = user.roles.map((role) => role.id)
      if (!isOwn) assertCanManage(authority, held)
      if (input.updated_at !== undefined && Date.parse(input.updated_at) !== row.updated_at.getTime())
        throw await staleWriteError(tx, userSubject(id), 'user', row.updated_at)
      const chosen = mayManage(authority.actor) ? input.roles : undefined
      const faults = {
        ...(await faultsOf(tx, authority, { email: input.email, roles: chosen }, { id, held })),
        ...(fault !== null && { password: fault }),
      }
      if (Object.keys(faults).length > 0) throw invalid(faults)
      const roleIds = chosen ?? held
      assertCanGrantRoles(
        authority,
        roleIds.filter((roleId) => !held.includes(roleId)),
      )
      const isAdmins = (ids: readonly number[]) => ids.includes(authority.adminRoleId)
      if (isAdmins(held) && !isAdmins(roleIds)) await assertAnotherAdmin(tx, authority, id)
      const next = {
        email: input.email,
        name: input.name,
        monitoring_mail_subscription: input.monitoring_mail_subscription ?? user.monitoring_mail_subscription,
      }
      const roles = authority.roles.filter((role) => roleIds.includes(role.id))
      const changed = difference(logged(user), logged({ ...next, roles }))
      if (!changed && hash === null) return tx.skipAudit()
      await setRoles(tx, id, held, roleIds)
      await tx.db
        .update(users)
        .set({ ...next, ...(hash !== null && { password_hash: hash }), updated_at: nextUpdatedAt(row, tx) })
        .where(eq(users.id, id))
      if (hash !== null) await endOtherSessions(tx, id, isOwn ? session : null)
      await tx.record({
        log: 'users',
        description: hash === null ? 'updated' : 'updated, with a new password',
        subject: userSubject(id),
        ...(changed ?? {}),
      })
    }),
  )
}
