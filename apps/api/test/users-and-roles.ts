import { adminRole, type Permission } from '@kustos/contract/permissions'
import type { Role, User } from '@kustos/contract/users'
import type { OpenDatabase } from '@kustos/database/client'
import { logEntries, rolePermissions, roles, userRoles, users } from '@kustos/database/tables'
import { desc, inArray, ne } from 'drizzle-orm'
import type { ApiClient } from './api-client.ts'

/** Everything that a change of people could have changed, and whether the log knows of one. */
export const snapshotUsersAndRoles = async ({ db }: OpenDatabase): Promise<string> =>
  JSON.stringify([
    await db.select().from(users).orderBy(users.id),
    await db.select().from(roles).orderBy(roles.id),
    await db.select().from(userRoles).orderBy(userRoles.user_id, userRoles.role_id),
    await db.select().from(rolePermissions).orderBy(rolePermissions.role_id, rolePermissions.permission),
    await db.$count(logEntries, inArray(logEntries.log_name, ['users', 'roles'])),
  ])

/** The latest entry about people: calls that were denied meanwhile leave theirs too. */
export async function lastEntry({ db }: OpenDatabase) {
  const [entry] = await db
    .select()
    .from(logEntries)
    .where(ne(logEntries.description, 'denied'))
    .orderBy(desc(logEntries.id))
    .limit(1)
  return entry
}

export async function roleAdmin(by: ApiClient): Promise<Role> {
  const role = (await by.json<Role[]>('/api/roles')).find(({ name }) => name === adminRole)
  if (!role) throw new Error('There is no role admin')
  return role
}

let made = 0

/** A role by way of the API. */
export async function createRoleByApi(by: ApiClient, permissions: readonly Permission[]): Promise<Role> {
  const answer = await by.send('POST', '/api/roles', { name: `role ${++made}`, permissions })
  if (answer.status !== 201) throw new Error(`The role was not made: ${answer.status}`)
  return (await answer.json()) as Role
}

/** A user by way of the API, who has the clients' usual password. */
export async function createUserByApi(
  by: ApiClient,
  password: string,
  held: readonly { readonly id: number }[],
): Promise<User> {
  const email = `person-${++made}@kustos.test`
  const body = { email, name: `Person ${made}`, password, roles: held.map((role) => role.id) }
  const answer = await by.send('POST', '/api/users', body)
  if (answer.status !== 201) throw new Error(`The user was not made: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as User
}
