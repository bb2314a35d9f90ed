import {
  can,
  isAdmin,
  type Permission,
  type PermissionHolder,
  permissions,
} from '@kustos/contract/permissions'
import type { Role } from '@kustos/contract/users'

export interface Losses {
  /** Whether the user stops being an admin, which only another admin can undo. */
  readonly losesAdmin: boolean
  readonly permissions: readonly Permission[]
}

/** The permissions that a user loses with only these roles; null if none. */
export function findLosses(holder: PermissionHolder, roles: readonly Role[]): Losses | null {
  const after: PermissionHolder = { roles, permissions: roles.flatMap((role) => role.permissions) }
  const lost: Losses = {
    losesAdmin: isAdmin(holder) && !isAdmin(after),
    permissions: permissions.filter((one) => can(holder, { any: [one] }) && !can(after, { any: [one] })),
  }
  return lost.losesAdmin || lost.permissions.length > 0 ? lost : null
}
