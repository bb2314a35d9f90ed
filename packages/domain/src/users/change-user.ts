import { message } from '@kustos/contract/messages'
import { can } from '@kustos/contract/permissions'
import { type NewUser, type User, type UserChange, usersRoutes } from '@kustos/contract/users'
import { users } from '@kustos/database/tables'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { endOtherSessions, faultOf, hashPassword } from '../auth/index.ts'
import { difference, nextUpdatedAt, rejectStaleWrite, withAudit } from '../platform/audit.ts'
import { type Context, requireActor } from '../platform/context.ts'
import { conflict, forbidden, invalid, notFound } from '../platform/errors.ts'
import { assertAnotherAdmin, assertCanGrantRoles, assertCanManage, lockPermissions } from './authority.ts'
import { heldRoles, listRoles, presentUser } from './read.ts'
import { faultsOf, lockUser, logged, setRoles, userEntry, userSubject, withFreeEmail } from './user-row.ts'

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
      await tx.record({ ...userEntry('created', user.id), attributes: logged(user) })
      return user
    }),
  )
}

/** @returns the ids of the named roles @throws DomainError invalid, for roles */
export async function findRolesByName(context: Context, names: readonly string[]): Promise<number[]> {
  const known = await listRoles(context)
  return names.map((name) => {
    const role = known.find((one) => one.name === name)
    if (!role) throw invalid({ roles: message('role_named_unknown', { name }) })
    return role.id
  })
}

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
      const { row, user, held } = await lockUser(tx, id, 'active')
      if (!isOwn) assertCanManage(authority, held)
      await rejectStaleWrite(tx, userSubject(id), 'user', row.updated_at, input.updated_at)
      const chosen = mayManage(authority.actor) ? input.roles : undefined
      const faults = {
        ...(await faultsOf(tx, authority, { email: input.email, roles: chosen }, { id, held })),
        ...(fault !== null && { password: fault }),
      }
      if (Object.keys(faults).length > 0) throw invalid(faults)
      const roleIds = chosen ?? held
      const added = roleIds.filter((roleId) => !held.includes(roleId))
      assertCanGrantRoles(authority, added)
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
      const description = hash === null ? 'updated' : 'updated, with a new password'
      await tx.record({ ...userEntry(description, id), ...changed })
    }),
  )
}

/**
 * Deletes a user, who can be restored, and ends their sessions.
 * @throws DomainError not-found; conflict for oneself and the last admin; forbidden for a user with more permissions
 */
export const deleteUser = (context: Context, id: number): Promise<void> =>
  withAudit(context, async (tx) => {
    const authority = await lockPermissions(tx)
    const { row, user, held } = await lockUser(tx, id, 'active')
    if (authority.actor?.id === id) throw conflict('own_user_not_deletable')
    assertCanManage(authority, held)
    if (held.includes(authority.adminRoleId)) await assertAnotherAdmin(tx, authority, id)
    const changes = { deleted_at: tx.now(), updated_at: nextUpdatedAt(row, tx) }
    await tx.db.update(users).set(changes).where(eq(users.id, id))
    await endOtherSessions(tx, id, null)
    await tx.record({ ...userEntry('deleted', id), old: logged(user) })
  })

/** @throws DomainError not-found for a user who is not deleted; forbidden for a user with more permissions */
export const restoreUser = (context: Context, id: number): Promise<void> =>
  withAudit(context, async (tx) => {
    const authority = await lockPermissions(tx)
    const { row, user, held } = await lockUser(tx, id, 'deleted')
    assertCanManage(authority, held)
    const changes = { deleted_at: null, updated_at: nextUpdatedAt(row, tx) }
    await tx.db.update(users).set(changes).where(eq(users.id, id))
    await tx.record({ ...userEntry('restored', id), attributes: logged(user) })
  })

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
    await tx.record(userEntry('updated, with a new password', row.id))
  })
}
