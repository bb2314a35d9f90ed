import { adminRole, can, isAdmin, type Permission, type PermissionHolder } from '@kustos/contract/permissions'
import type { Role } from '@kustos/contract/users'

/** The permissions that the user lacks and therefore cannot grant or revoke. */
export const missingPermissions = (
  user: PermissionHolder | null,
  permissions: readonly Permission[],
): readonly Permission[] => permissions.filter((permission) => !can(user, { any: [permission] }))

/** Whether a user may grant a role: they have all of its permissions, and only an admin grants admin. */
export const mayGrant = (user: PermissionHolder | null, role: Pick<Role, 'name' | 'permissions'>): boolean =>
  role.name === adminRole
    ? user !== null && isAdmin(user)
    : missingPermissions(user, role.permissions).length === 0
