import { adminRole, can, type Holder, isAdmin, type Permission } from '@kustos/contract/permissions'

interface Grantable {
  readonly name: string
  readonly permissions: readonly Permission[]
}

/** Of these permissions, those that a user does not have, and so can neither give nor take. */
export const beyond = (user: Holder | null, permissions: readonly Permission[]): readonly Permission[] =>
  permissions.filter((permission) => !can(user, { any: [permission] }))

/** Whether a user may give a role to somebody: it holds nothing that they lack, and only an admin makes one. */
export const mayGrant = (user: Holder | null, role: Grantable): boolean =>
  role.name === adminRole ? user !== null && isAdmin(user) : beyond(user, role.permissions).length === 0
