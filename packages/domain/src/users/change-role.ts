import { isAdmin } from '@kustos/contract/permissions'
import { type NewRole, type Role, type RoleChange, userTexts } from '@kustos/contract/users'
import { rolePermissions, roles } from '@kustos/database/tables'
import { and, eq, inArray } from 'drizzle-orm'
import { after, change, changedMeanwhile, difference } from '../audit.ts'
import type { Context, Scope } from '../context.ts'
import { conflict, invalid, notFound } from '../errors.ts'
import { type Authority, demandHeld, demandReach, takeAuthority } from './authority.ts'
import { listRoles } from './read.ts'

const subject = (id: number) => ({ type: 'role', id })
const logged = ({ name, permissions }: NewRole) => ({ name, permissions })

/** @throws DomainError invalid for a taken name; forbidden for permissions that the acting user lacks */
export const createRole = (context: Context, { name, permissions }: NewRole): Promise<Role> =>
  change(context, async (inside) => {
    const authority = await takeAuthority(inside)
    demandFreeName(authority, name)
    demandHeld(authority, permissions)
    const now = inside.now()
    const [row] = await inside.db
      .insert(roles)
      .values({ name, created_at: now, updated_at: now })
      .returning({ id: roles.id })
    if (!row) throw new Error('The role was not kept')
    await grant(inside, row.id, permissions)
    const role = roleOf(await listRoles(inside), row.id)
    await inside.record({
      log: 'roles',
      description: 'created',
      subject: subject(role.id),
      attributes: logged(role),
    })
    return role
  })

/**
 * Changes a role, which bites at its users' next request.
 * @throws DomainError not-found; conflict for admin, and where it has changed since `updated_at`; invalid for a taken
 * name; forbidden for a role that holds, or permissions that are, what the acting user lacks
 */
export const editRole = (context: Context, id: number, input: RoleChange): Promise<void> =>
  change(context, async (inside) => {
    const authority = await takeAuthority(inside)
    const role = changeable(authority, id)
    const updatedAt = new Date(role.updated_at)
    if (input.updated_at !== undefined && Date.parse(input.updated_at) !== updatedAt.getTime())
      throw await changedMeanwhile(inside, subject(id), 'role', updatedAt)
    demandFreeName(authority, input.name, id)
    const added = input.permissions.filter((permission) => !role.permissions.includes(permission))
    demandHeld(authority, added)
    const changed = difference(logged(role), logged(input))
    if (!changed) return inside.unchanged()
    const removed = role.permissions.filter((permission) => !input.permissions.includes(permission))
    if (removed.length > 0) {
      await inside.db
        .delete(rolePermissions)
        .where(and(eq(rolePermissions.role_id, id), inArray(rolePermissions.permission, removed)))
    }
    await grant(inside, id, added)
    await inside.db
      .update(roles)
      .set({ name: input.name, updated_at: after({ updated_at: updatedAt }, inside) })
      .where(eq(roles.id, id))
    await inside.record({ log: 'roles', description: 'updated', subject: subject(id), ...changed })
  })

/** @throws DomainError not-found; conflict for admin and for one in use, by deleted users too; forbidden */
export const deleteRole = (context: Context, id: number): Promise<void> =>
  change(context, async (inside) => {
    const role = changeable(await takeAuthority(inside), id)
    if (role.users > 0) throw conflict(userTexts.roleInUse)
    await inside.db.delete(roles).where(eq(roles.id, id))
    await inside.record({ log: 'roles', description: 'deleted', subject: subject(id), old: logged(role) })
  })

function roleOf(known: readonly Role[], id: number): Role {
  const role = known.find((one) => one.id === id)
  if (!role) throw notFound(`Role ${id}`)
  return role
}

function changeable(authority: Authority, id: number): Role {
  const role = roleOf(authority.roles, id)
  if (isAdmin({ roles: [role], permissions: [] })) throw conflict(userTexts.adminFixed)
  demandReach(authority, [id])
  return role
}

/** In any case: nobody else adds one meanwhile, since changes of roles happen one at a time. */
function demandFreeName({ roles: known }: Authority, name: string, id = 0): void {
  const folded = (text: string) => text.normalize('NFKC').toLowerCase()
  if (known.some((role) => role.id !== id && folded(role.name) === folded(name)))
    throw invalid({ name: userTexts.roleTaken })
}

async function grant(inside: Scope, id: number, names: Role['permissions']): Promise<void> {
  if (names.length === 0) return
  await inside.db.insert(rolePermissions).values(names.map((permission) => ({ role_id: id, permission })))
}
