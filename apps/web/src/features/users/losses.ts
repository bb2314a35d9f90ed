import { can, type Holder, isAdmin, type Permission, permissions } from '@kustos/contract/permissions'
import type { Role } from '@kustos/contract/users'

export interface Losses {
  /** Whether they stop to be an admin: only another one can make them one again. */
  readonly isAdmin: boolean
  readonly permissions: readonly Permission[]
}

/** What somebody may do no longer once they hold these roles alone; null where that is nothing. */
export function lossesOf(holder: Holder, roles: readonly Role[]): Losses | null {
  const after: Holder = { roles, permissions: roles.flatMap((role) => role.permissions) }
  const lost: Losses = {
    isAdmin: isAdmin(holder) && !isAdmin(after),
    permissions: permissions.filter((one) => can(holder, { any: [one] }) && !can(after, { any: [one] })),
  }
  return lost.isAdmin || lost.permissions.length > 0 ? lost : null
}
