/** As in section 6 of the specification, and `manage nodes` and those of customers, tags, the tracking policy, maintenance and alert channels [+]. */
export const permissions = [
  'view webs',
  'create webs',
  'edit webs',
  'delete webs',
  'restore webs',
  'manage nodes',
  'view customers',
  'edit customers',
  'edit tags',
  'edit tracking policy',
  'view bitbucket',
  'view external domains',
  'create external domains',
  'edit external domains',
  'delete external domains',
  'view limitis domains',
  'view limitis email',
  'view monitoring web statistic',
  'plan maintenance',
  'edit alert channels',
  'view queue',
  'view logs',
  'view admin panel',
] as const

export type Permission = (typeof permissions)[number]

/** A role that has all permissions and cannot be changed or deleted. */
export const adminRole = 'admin'

/** Who may use a route or a screen. An empty requirement lets every signed-in user pass. */
export type Requirement = { readonly any: readonly Permission[] } | { readonly all: readonly Permission[] }
export type Access = 'public' | 'signed-in' | Requirement

/** Those who may do one of several things. Of permissions that are needed together, the first one is enough here. */
export const anyOf = (accesses: readonly Access[]): { readonly any: readonly Permission[] } => ({
  any: [
    ...new Set(
      accesses.flatMap((access) =>
        typeof access === 'string' ? [] : 'all' in access ? access.all.slice(0, 1) : access.any,
      ),
    ),
  ],
})

export interface PermissionHolder {
  readonly roles: readonly { readonly name: string }[]
  readonly permissions: readonly string[]
}

export const isAdmin = (user: PermissionHolder): boolean => user.roles.some((role) => role.name === adminRole)

/** The permission check of the API and the screens. @param user null for a visitor */
export function can(user: PermissionHolder | null, access: Access): boolean {
  if (access === 'public') return true
  if (user === null) return false
  if (access === 'signed-in' || isAdmin(user)) return true
  const holds = (permission: Permission) => user.permissions.includes(permission)
  if ('all' in access) return access.all.every(holds)
  return access.any.length === 0 || access.any.some(holds)
}
