/** Every permission name there is (specification, section 6). */
export const permissions = [
  'view webs',
  'create webs',
  'edit webs',
  'delete webs',
  'restore webs',
  'view bitbucket',
  'view external domains',
  'create external domains',
  'edit external domains',
  'delete external domains',
  'view limitis domains',
  'view limitis email',
  'view monitoring web statistic',
  'view queue',
  'view logs',
  'view admin panel',
] as const

export type Permission = (typeof permissions)[number]

/** The role that passes every check; it cannot be changed or removed. */
export const adminRole = 'admin'

/** Who may use a route or a screen. An empty requirement lets every signed-in user pass. */
export type Requirement = { readonly any: readonly Permission[] } | { readonly all: readonly Permission[] }
export type Access = 'public' | 'signed-in' | Requirement

/** What a permission check needs to know of a user. */
export interface Holder {
  readonly roles: readonly { readonly name: string }[]
  readonly permissions: readonly string[]
}

export const isAdmin = (user: Holder): boolean => user.roles.some((role) => role.name === adminRole)

/** The one permission check, for the API and the screens alike; `null` is a visitor who is not signed in. */
export function can(user: Holder | null, access: Access): boolean {
  if (access === 'public') return true
  if (user === null) return false
  if (access === 'signed-in' || isAdmin(user)) return true
  const holds = (permission: Permission) => user.permissions.includes(permission)
  if ('all' in access) return access.all.every(holds)
  return access.any.length === 0 || access.any.some(holds)
}
