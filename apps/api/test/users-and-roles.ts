import { adminRole, type Permission } from '@kustos/contract/permissions'
import type { Role, User } from '@kustos/contract/users'
import type { OpenDatabase } from '@kustos/database/client'
import { logEntries, rolePermissions, roles, userRoles, users } from '@kustos/database/tables'
import { desc, inArray, ne } from 'drizzle-orm'
import type { ApiClient } from './api-client.ts'

/** All users and roles, and the number of their log entries. */
export const snapshotUsersAndRoles = async ({ db }: OpenDatabase): Promise<string> =>
  JSON.stringify([
    await db.select().from(users).orderBy(users.id),
    await db.select().from(roles).orderBy(roles.id),
    await db.select().from(userRoles).orderBy(userRoles.user_id, userRoles.role_id),
    await db.select().from(rolePermissions).orderBy(rolePermissions.role_id, rolePermissions.permission),
    await db.$count(logEntries, inArray(logEntries.log_name, ['users', 'roles'])),
  ])

/** The latest log entry, except those of denied calls. */
export async function lastEntry({ db }: OpenDatabase) {
  const [entry] = await db
    .select()
    .from(logEntries)
    .where(ne(logEntries.description, 'denied'))
    .orderBy(desc(logEntries.id))
    .limit(1)
  return entry
}

export async function findAdminRole(by: ApiClient): Promise<Role> {
  const role = (await by.json<Role[]>('/api/roles')).find(({ name }) => name === adminRole)
  if (!role) throw new Error('There is no role admin')
  return role
}

let counter = 0

/** Creates a role through the API. */
export async function createRoleByApi(by: ApiClient, permissions: readonly Permission[]): Promise<Role> {
  const response = await by.send('POST', '/api/roles', { name: `role ${++counter}`, permissions })
  if (response.status !== 201) throw new Error(`The role was not created: ${response.status}`)
  return (await response.json()) as Role
}

/** Creates a user through the API. */
export async function createUserByApi(
  by: ApiClient,
  password: string,
  roles: readonly { readonly id: number }[],
): Promise<User> {
  const email = `person-${++counter}@kustos.test`
  const body = { email, name: `Person ${counter}`, password, roles: roles.map((role) => role.id) }
  const response = await by.send('POST', '/api/users', body)
  if (response.status !== 201)
    throw new Error(`The user was not created: ${response.status} ${await response.text()}`)
  return (await response.json()) as User
}
