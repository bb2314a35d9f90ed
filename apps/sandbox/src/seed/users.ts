import type { Permission } from '@kustos/contract/permissions'
import type { Transaction } from '@kustos/database/client'
import { rolePermissions, roles, userRoles, users } from '@kustos/database/tables'
import { hashPassword } from '@kustos/domain/auth'
import data from './users.json' with { type: 'json' }

/** The password of all users of the sandbox. */
export const password = 'kustos-sandbox'
export const administrator = 'admin@kustos.test'

/** The migrations create the role `admin`. */
const permissionsOf = data.roles as Readonly<Record<string, readonly Permission[]>>

const dayMs = 24 * 3600 * 1000

/** @returns the ids of users who are not deleted, the administrator's first */
export async function seedUsers(db: Transaction, now: Date): Promise<number[]> {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs)
  const timestamps = { created_at: ago(420), updated_at: ago(420) }
  await db
    .insert(roles)
    .values(Object.keys(permissionsOf).map((name) => ({ name, ...timestamps })))
    .onConflictDoNothing()
  const allRoles = await db.select({ id: roles.id, name: roles.name }).from(roles)
  const roleIds = new Map(allRoles.map(({ id, name }) => [name, id]))
  const idOf = (role: string): number => {
    const id = roleIds.get(role)
    if (id === undefined) throw new Error(`There is no role ${role}`)
    return id
  }
  const granted = Object.entries(permissionsOf).flatMap(([role, permissions]) =>
    permissions.map((permission) => ({ role_id: idOf(role), permission })),
  )
  await db.insert(rolePermissions).values(granted)
  // One hash for all users, because hashing is slow by design.
  const hash = await hashPassword(password)
  const rows = data.users.map((user, i) => ({
    email: user.email,
    name: user.name,
    password_hash: hash,
    monitoring_mail_subscription: user.receivesMails ?? false,
    created_at: ago(400 - i * 37),
    updated_at: ago(user.deletedDaysAgo ?? 400 - i * 37),
    deleted_at: user.deletedDaysAgo === undefined ? null : ago(user.deletedDaysAgo),
  }))
  const inserted = await db.insert(users).values(rows).returning({ id: users.id, email: users.email })
  const userIds = new Map(inserted.map(({ id, email }) => [email, id]))
  await db.insert(userRoles).values(
    data.users.flatMap((user) => {
      const id = userIds.get(user.email)
      return id === undefined ? [] : user.roles.map((role) => ({ user_id: id, role_id: idOf(role) }))
    }),
  )
  return data.users.flatMap(({ email, deletedDaysAgo }) =>
    deletedDaysAgo === undefined ? (userIds.get(email) ?? []) : [],
  )
}
