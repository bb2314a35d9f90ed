import { message } from '@kustos/contract/messages'
import { adminRole, isAdmin } from '@kustos/contract/permissions'
import type { CurrentUser, Role } from '@kustos/contract/users'
import { roles, userRoles, users } from '@kustos/database/tables'
import { and, eq, isNull, ne } from 'drizzle-orm'
import type { AuditTransaction } from '../platform/audit.ts'
import type { Scope } from '../platform/context.ts'
import { conflict, forbiddenWithReason } from '../platform/errors.ts'
import { listRoles } from './read.ts'

/** The acting user and all roles, read under the lock. */
export interface Authority {
  /** Null at the command line, where everything is allowed. */
  readonly actor: CurrentUser | null
  readonly roles: readonly Role[]
  readonly adminRoleId: number
}

/**
 * Serializes changes of users and roles by locking the role admin, and reads what they are checked against. Of two admins
 * who demote each other at the same time, the second is no longer an admin.
 * Has to be called before any other row is locked.
 * @throws DomainError unauthenticated or forbidden if the acting user has lost the session or the permission meanwhile
 */
export async function lockPermissions(tx: AuditTransaction): Promise<Authority> {
  const [admin] = await tx.db
    .select({ id: roles.id })
    .from(roles)
    .where(eq(roles.name, adminRole))
    .for('no key update')
  if (!admin) throw new Error('The role admin is gone')
  const actor = await tx.readActorOnceLocked()
  return { actor, roles: await listRoles(tx), adminRoleId: admin.id }
}

/** Whether the acting user has all permissions of these roles. The role admin can only be granted by admins. */
function holdsAll({ actor, roles: known }: Authority, roleIds: readonly number[]): boolean {
  if (actor === null || isAdmin(actor)) return true
  const asked = known.filter((role) => roleIds.includes(role.id))
  return (
    !isAdmin({ roles: asked, permissions: [] }) &&
    asked.every((role) => role.permissions.every((permission) => actor.permissions.includes(permission)))
  )
}

/**
 * Rejects changes of a user or role with more permissions than the acting user, since a new password or e-mail would open
 * that account.
 * @throws DomainError forbidden
 */
export function assertCanManage(authority: Authority, roleIds: readonly number[]): void {
  if (!holdsAll(authority, roleIds)) throw forbiddenWithReason(message('permission_not_held'))
}

/** @throws DomainError forbidden, for roles, if they have permissions that the acting user lacks */
export function assertCanGrantRoles(authority: Authority, roleIds: readonly number[]): void {
  if (!holdsAll(authority, roleIds)) throw forbiddenWithReason(message('permission_not_held'), 'roles')
}

/** @throws DomainError forbidden, for permissions, if the acting user lacks one of them */
export function assertCanGrantPermissions({ actor }: Authority, permissions: Role['permissions']): void {
  if (actor === null || isAdmin(actor)) return
  if (!permissions.every((permission) => actor.permissions.includes(permission)))
    throw forbiddenWithReason(message('permission_not_held'), 'permissions')
}

/** @throws DomainError conflict if no other active user is an admin */
export async function assertAnotherAdmin(
  tx: Scope,
  { adminRoleId }: Authority,
  userId: number,
): Promise<void> {
  const [other] = await tx.db
    .select({ id: users.id })
    .from(userRoles)
    .innerJoin(users, eq(users.id, userRoles.user_id))
    .where(and(eq(userRoles.role_id, adminRoleId), ne(users.id, userId), isNull(users.deleted_at)))
    .limit(1)
  if (!other) throw conflict('last_admin')
}
