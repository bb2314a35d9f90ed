import { message } from '@kustos/contract/messages'
import { isAdmin } from '@kustos/contract/permissions'
import type { NewRole, Role, RoleChange } from '@kustos/contract/users'
import { rolePermissions, roles } from '@kustos/database/tables'
import { and, eq, inArray } from 'drizzle-orm'
import { difference, entriesOf, nextUpdatedAt, rejectStaleWrite, withAudit } from '../platform/audit.ts'
import type { Context, Scope } from '../platform/context.ts'
import { conflict, invalid, notFound } from '../platform/errors.ts'
import { makeViewsOfRolePrivate } from '../views/index.ts'
import { type Authority, assertCanGrantPermissions, assertCanManage, lockPermissions } from './authority.ts'
import { listRoles } from './read.ts'

const subject = (id: number) => ({ type: 'role', id })
const entry = entriesOf('roles', 'role')
const logged = ({ name, permissions }: NewRole) => ({ name, permissions })

/** @throws DomainError invalid for a taken name; forbidden for permissions that the acting user lacks */
export const createRole = (context: Context, { name, permissions }: NewRole): Promise<Role> =>
  withAudit(context, async (tx) => {
    const authority = await lockPermissions(tx)
    demandFreeName(authority, name)
    assertCanGrantPermissions(authority, permissions)
    const now = tx.now()
    const [row] = await tx.db
      .insert(roles)
      .values({ name, created_at: now, updated_at: now })
      .returning({ id: roles.id })
    if (!row) throw new Error('The role was not inserted')
    await grant(tx, row.id, permissions)
    const role = roleOf(await listRoles(tx), row.id)
    await tx.record({ ...entry('created', role.id), attributes: logged(role) })
    return role
  })

/**
 * Changes a role. The change applies to its users' next requests.
 * @throws DomainError not-found; conflict for admin, and if the role has changed since `updated_at`; invalid for a taken
 * name; forbidden if the role has or is given permissions that the acting user lacks
 */
export const editRole = (context: Context, id: number, input: RoleChange): Promise<void> =>
  withAudit(context, async (tx) => {
    const authority = await lockPermissions(tx)
    const role = changeable(authority, id)
    const updatedAt = new Date(role.updated_at)
    await rejectStaleWrite(tx, subject(id), 'role', updatedAt, input.updated_at)
    demandFreeName(authority, input.name, id)
    const added = input.permissions.filter((permission) => !role.permissions.includes(permission))
    assertCanGrantPermissions(authority, added)
    const changed = difference(logged(role), logged(input))
    if (!changed) return tx.skipAudit()
    const removed = role.permissions.filter((permission) => !input.permissions.includes(permission))
    if (removed.length > 0) {
      await tx.db
        .delete(rolePermissions)
        .where(and(eq(rolePermissions.role_id, id), inArray(rolePermissions.permission, removed)))
    }
    await grant(tx, id, added)
    await tx.db
      .update(roles)
      .set({ name: input.name, updated_at: nextUpdatedAt({ updated_at: updatedAt }, tx) })
      .where(eq(roles.id, id))
    await tx.record({ ...entry('updated', id), ...changed })
  })

/** @throws DomainError not-found; conflict for admin, and if users have the role, even deleted ones; forbidden */
export const deleteRole = (context: Context, id: number): Promise<void> =>
  withAudit(context, async (tx) => {
    const role = changeable(await lockPermissions(tx), id)
    if (role.users > 0) throw conflict('role_in_use')
    await makeViewsOfRolePrivate(tx, role)
    await tx.db.delete(roles).where(eq(roles.id, id))
    await tx.record({ ...entry('deleted', id), old: logged(role) })
  })

function roleOf(known: readonly Role[], id: number): Role {
  const role = known.find((one) => one.id === id)
  if (!role) throw notFound('role_not_found', { id })
  return role
}

function changeable(authority: Authority, id: number): Role {
  const role = roleOf(authority.roles, id)
  if (isAdmin({ roles: [role], permissions: [] })) throw conflict('admin_role_fixed')
  assertCanManage(authority, [id])
  return role
}

/** Ignores case. Changes of roles are serialized, so no other role can take the name in the meantime. */
/** Roles whose names are equal in this form cannot be told apart. */
export const foldRoleName = (name: string): string => name.normalize('NFKC').toLowerCase()

function demandFreeName({ roles: known }: Authority, name: string, id = 0): void {
  if (known.some((role) => role.id !== id && foldRoleName(role.name) === foldRoleName(name)))
    throw invalid({ name: message('role_name_taken') })
}

async function grant(tx: Scope, id: number, names: Role['permissions']): Promise<void> {
  if (names.length === 0) return
  await tx.db.insert(rolePermissions).values(names.map((permission) => ({ role_id: id, permission })))
}
