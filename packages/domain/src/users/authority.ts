import { adminRole, isAdmin } from '@kustos/contract/permissions'
import { type CurrentUser, type Role, userTexts } from '@kustos/contract/users'
import { roles, userRoles, users } from '@kustos/database/tables'
import { and, eq, isNull, ne } from 'drizzle-orm'
import type { Scope } from '../context.ts'
import { beyond, conflict, DomainError } from '../errors.ts'
import { findCurrentUserInside } from './current-user.ts'
import { listRoles } from './read.ts'

/** Who changes people, and what there is to give, as both are while nobody else changes people. */
export interface Authority {
  /** Null for what the operator does at the command line, who may do everything. */
  readonly actor: CurrentUser | null
  readonly roles: readonly Role[]
  readonly adminRoleId: number
}

/**
 * Lets one change of users or roles happen at a time, by a lock on the role admin, and reads what it is judged by: two
 * admins who demote each other at once are one after the other, and the second is none any more.
 * To be called before any other row is locked.
 * @throws DomainError unauthenticated where whoever acts has been deleted meanwhile
 */
export async function takeAuthority(inside: Scope): Promise<Authority> {
  const [admin] = await inside.db
    .select({ id: roles.id })
    .from(roles)
    .where(eq(roles.name, adminRole))
    .for('no key update')
  if (!admin) throw new Error('The role admin is gone')
  const actor = inside.actor && (await findCurrentUserInside(inside, inside.actor.id))
  if (inside.actor && !actor) throw new DomainError('unauthenticated', 'Unauthenticated.')
  return { actor, roles: await listRoles(inside), adminRoleId: admin.id }
}

/** Whether whoever acts holds all that these roles do. Admin is more than its permissions: it is never given by others. */
function holdsAll({ actor, roles: known }: Authority, roleIds: readonly number[]): boolean {
  if (actor === null || isAdmin(actor)) return true
  const asked = known.filter((role) => roleIds.includes(role.id))
  return (
    !isAdmin({ roles: asked, permissions: [] }) &&
    asked.every((role) => role.permissions.every((permission) => actor.permissions.includes(permission)))
  )
}

/**
 * Nobody changes a user, or a role, who holds what they lack: a new password or e-mail would be a way into that account.
 * @throws DomainError forbidden
 */
export function demandReach(authority: Authority, roleIds: readonly number[]): void {
  if (!holdsAll(authority, roleIds)) throw beyond(userTexts.beyond)
}

/** Nobody gives a role that holds what they lack. @throws DomainError forbidden, for roles */
export function demandGrantable(authority: Authority, roleIds: readonly number[]): void {
  if (!holdsAll(authority, roleIds)) throw beyond(userTexts.beyond, 'roles')
}

/** Nobody gives a role a permission that they lack. @throws DomainError forbidden, for permissions */
export function demandHeld({ actor }: Authority, permissions: Role['permissions']): void {
  if (actor === null || isAdmin(actor)) return
  if (!permissions.every((permission) => actor.permissions.includes(permission)))
    throw beyond(userTexts.beyond, 'permissions')
}

/** @throws DomainError conflict where nobody else who may sign in holds the role admin */
export async function demandAnotherAdmin(
  inside: Scope,
  { adminRoleId }: Authority,
  userId: number,
): Promise<void> {
  const [other] = await inside.db
    .select({ id: users.id })
    .from(userRoles)
    .innerJoin(users, eq(users.id, userRoles.user_id))
    .where(and(eq(userRoles.role_id, adminRoleId), ne(users.id, userId), isNull(users.deleted_at)))
    .limit(1)
  if (!other) throw conflict(userTexts.lastAdmin)
}
