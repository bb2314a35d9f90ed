import { randomBytes } from 'node:crypto'
import type { LegacyName, LegacyRole, LegacyUser } from '@kustos/clients/legacy'
import { adminRole, permissions } from '@kustos/contract/permissions'
import { newRole, ownSettings } from '@kustos/contract/users'
import { rolePermissions, roles, userRoles, users } from '@kustos/database/tables'
import { eq, inArray, sql } from 'drizzle-orm'
import { hashPassword } from '../../auth/index.ts'
import { foldRoleName } from '../../users/index.ts'
import { formatIssues } from './format-issues.ts'
import { type ExistingRow, importRows, type RowImport, type Run, updateColumns } from './import-rows.ts'

/**
 * Imports the roles, including those that only users name. A role of Kustos whose name differs in case only is the same one, except
 * that nobody becomes an administrator that way.
 * @param sourceRows null if the list is not available
 * @returns the roles of Kustos by the folded names of both systems
 */
export async function importRoles(
  run: Run,
  sourceRows: readonly LegacyRole[] | null,
  people: readonly LegacyUser[],
): Promise<KnownRoles> {
  const rows: LegacyRole[] = []
  for (const role of sourceRows ?? []) {
    const parsed = newRole.shape.name.safeParse(role.name)
    if (!parsed.success) run.report.problem('roles', formatIssues(role.name.slice(0, 100), parsed.error))
    else if (isLikeAdmin(role.name))
      run.report.problem(
        'roles',
        `${role.name}: not imported, because its name is like that of ${adminRole}.`,
      )
    else rows.push({ ...role, permissions: supportedPermissions(run, role) })
  }
  const listedKeys = new Set(rows.map(({ name }) => foldRoleName(name)))
  for (const { id, name } of people.flatMap((user) => user.roles)) {
    if (name === null || listedKeys.has(foldRoleName(name)) || isLikeAdmin(name)) continue
    if (!newRole.shape.name.safeParse(name).success) continue
    listedKeys.add(foldRoleName(name))
    rows.push({ id, name, permissions: null, created_at: null, updated_at: null })
  }
  for (const { name, permissions: listed } of rows) {
    if (listed === null && name !== adminRole) {
      run.report.note(
        'roles',
        `${name}: the former system does not list its permissions. A new role has none until someone sets them.`,
      )
    }
  }
  const ids = await importRows(run, roleImport, rows)
  const names = new Map((await run.context.db.select().from(roles)).map(({ id, name }) => [id, name]))
  return new Map([...ids].map(([key, id]) => [key, { id, name: names.get(id) ?? key }]))
}

/** By folded name. */
type KnownRoles = ReadonlyMap<string, { readonly id: number; readonly name: string }>

const isLikeAdmin = (name: string) => name !== adminRole && foldRoleName(name) === foldRoleName(adminRole)

/** The permissions of a role that Kustos has. */
function supportedPermissions({ report }: Run, { name, permissions: listed }: LegacyRole): string[] | null {
  if (listed === null) return null
  const names: readonly string[] = permissions
  const unsupported = listed.filter((permission) => !names.includes(permission))
  if (unsupported.length > 0) {
    report.note(
      'roles',
      `${name}: Kustos has no permission ${unsupported.slice(0, 10).join(', ').slice(0, 300)}.`,
    )
  }
  return names.filter((permission) => listed.includes(permission))
}

const roleImport: RowImport<LegacyRole, ExistingRow & { readonly permissions: readonly string[] }> = {
  part: 'roles',
  table: roles,
  subject: 'role',
  key: ({ name }) => foldRoleName(name),
  name: ({ name }) => name,
  async find({ db }, rows) {
    const found = await db
      .select({ role: roles, permission: rolePermissions.permission })
      .from(roles)
      .leftJoin(rolePermissions, eq(rolePermissions.role_id, roles.id))
      .orderBy(roles.id)
    const known = [...Map.groupBy(found, ({ role }) => role.id).values()].flatMap(([first, ...more]) => {
      if (first === undefined) return []
      const permissions = [first, ...more].flatMap(({ permission }) => permission ?? [])
      return [{ id: first.role.id, name: first.role.name, permissions }]
    })
    return new Map(
      rows.flatMap(({ name }) => {
        const key = foldRoleName(name)
        const alike = known.filter((role) => foldRoleName(role.name) === key)
        // Earlier releases imported names that differ in case only as roles of their own.
        const role = alike.find((one) => one.name === name) ?? alike[0]
        return role === undefined ? [] : [[key, role] as const]
      }),
    )
  },
  columns: ({ name, created_at, updated_at }, now) => ({
    name,
    created_at: created_at ?? updated_at ?? now,
    updated_at: updated_at ?? created_at ?? now,
  }),
  importedValues: ({ name, permissions: names }) => ({
    // An admin has all of them in any case.
    ...(names !== null && name !== adminRole && { permissions: [...names].sort() }),
  }),
  existingValues: ({ permissions: names }) => ({ permissions: [...names].sort() }),
  async link({ db }, added) {
    const links = added.flatMap(({ id, row }) =>
      (row.permissions ?? []).map((permission) => ({ role_id: id, permission })),
    )
    if (links.length > 0) await db.insert(rolePermissions).values(links)
  },
  // Kustos alone decides on permissions.
  update: null,
}

/** The fields of a user that are edited. */
const editableFields = ownSettings.pick({ email: true, name: true })

interface UserRow extends LegacyUser {
  /** As Kustos names them. */
  readonly roleNames: readonly string[]
}

/** Imports users without passwords: they cannot sign in before one is set. */
export async function importUsers(
  run: Run,
  sourceRows: readonly LegacyUser[],
  sourceRoles: readonly LegacyRole[],
  knownRoles: KnownRoles,
): Promise<void> {
  const nameOf = ({ id, name }: LegacyName) =>
    name ?? sourceRoles.find((role) => id !== null && role.id === id)?.name ?? null
  const people = sourceRows.flatMap((user): UserRow[] => {
    const parsed = editableFields.safeParse({ email: user.email, name: user.name || user.email })
    if (!parsed.success) {
      run.report.problem('users', formatIssues(user.email.slice(0, 254), parsed.error))
      return []
    }
    const { email, name } = parsed.data
    const held = user.roles.map((role) => {
      const named = nameOf(role)
      // A role that is like that of administrators is left out.
      return named === null || isLikeAdmin(named) ? undefined : knownRoles.get(foldRoleName(named))
    })
    if (held.includes(undefined)) run.report.note('users', `${email}: imported without an unknown role.`)
    const roleNames = [...new Set(held.flatMap((role) => role?.name ?? []))].sort()
    return [{ ...user, email, name, roleNames }]
  })
  // The hash of a random password, so a sign-in fails in the same time as with a wrong one.
  const hash = await hashPassword(randomBytes(48).toString('base64'))
  const ids = new Map([...knownRoles.values()].map(({ id, name }) => [name, id]))
  await importRows(run, userImport(hash, ids), people)
}

const normalisedEmail = ({ email }: { readonly email: string }) => email.toLowerCase()

type ExistingUser = ExistingRow & {
  readonly name: string
  readonly monitoring_mail_subscription: boolean
  readonly deleted_at: Date | null
  readonly roleNames: readonly string[]
}

const userImport = (
  hash: string,
  roleIds: ReadonlyMap<string, number>,
): RowImport<UserRow, ExistingUser> => ({
  part: 'users',
  table: users,
  subject: 'user',
  key: normalisedEmail,
  name: ({ email }) => email,
  async find({ db }, rows) {
    const found = await db
      .select({ user: users, role: roles.name })
      .from(users)
      .leftJoin(userRoles, eq(userRoles.user_id, users.id))
      .leftJoin(roles, eq(roles.id, userRoles.role_id))
      .where(inArray(sql`lower(${users.email})`, rows.map(normalisedEmail)))
    const byEmail = new Map<string, ExistingUser>()
    for (const { user, role } of found) {
      const roleNames = byEmail.get(normalisedEmail(user))?.roleNames ?? []
      byEmail.set(normalisedEmail(user), {
        ...user,
        roleNames: role === null ? roleNames : [...roleNames, role].sort(),
      })
    }
    return byEmail
  },
  columns: ({ email, name, monitoring_mail_subscription, created_at, updated_at, deleted_at }, now) => ({
    email,
    name,
    password_hash: hash,
    monitoring_mail_subscription,
    created_at: created_at ?? now,
    updated_at: updated_at ?? created_at ?? now,
    deleted_at,
  }),
  importedValues: ({ email, name, monitoring_mail_subscription, roleNames, deleted_at }, existing) => ({
    ...(existing === null && { email }),
    name,
    monitoring_mail_subscription,
    roles: roleNames,
    is_deleted: deleted_at !== null,
  }),
  existingValues: ({ name, monitoring_mail_subscription, roleNames, deleted_at }) => ({
    name,
    monitoring_mail_subscription,
    roles: roleNames,
    is_deleted: deleted_at !== null,
  }),
  async link({ db }, added) {
    const links = added.flatMap(({ id, row }) =>
      row.roleNames.flatMap((role) => {
        const roleId = roleIds.get(role)
        return roleId === undefined ? [] : [{ user_id: id, role_id: roleId }]
      }),
    )
    if (links.length > 0) await db.insert(userRoles).values(links)
  },
  update: updateColumns(users),
  // Kustos alone decides on permissions and passwords.
  fixed: () => ['roles', 'is_deleted'],
})
