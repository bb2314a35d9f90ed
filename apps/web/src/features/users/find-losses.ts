import { can, type Holder, isAdmin, type Permission, permissions } from '@kustos/contract/permissions'
import type { Role } from '@kustos/contract/users'

export interface Losses {
  /** Whether the user stops being an admin, which only another admin can undo. */
  readonly losesAdmin: boolean
  readonly permissions: readonly Permission[]
}

/** The permissions that a user loses with only these roles; null if none. */
export function findLosses(holder: Holder, roles: readonly Role[]): Losses | null {
  const after: Holder = { roles, permissions: roles.flatMap((role) => role.permissions) }
  const lost: Losses = {
    losesAdmin: isAdmin(holder) && !isAdmin(after),
    permissions: permissions.filter((one) => can(holder, { any: [one] }) && !can(after, { any: [one] })),
  }
  return lost.losesAdmin || lost.permissions.length > 0 ? lost : null
}
