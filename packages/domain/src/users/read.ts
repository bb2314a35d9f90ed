import { isAdmin, permissions } from '@kustos/contract/permissions'
import type { Role, User } from '@kustos/contract/users'
import type { Transaction } from '@kustos/database/client'
import { rolePermissions, roles, userRoles, users } from '@kustos/database/tables'
import { asc, count, eq } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'

/** Every user, including deleted ones. */
export async function listUsers({ db }: Context): Promise<{ data: User[] }> {
  const rows = await db.select().from(users).orderBy(asc(users.id))
  const held = await heldRoles(db)
  return { data: rows.map((row) => presentUser(row, held.get(row.id) ?? [])) }
}

/** One user, deleted or not. @throws DomainError not-found */
export async function readUser({ db }: Pick<Context, 'db'>, id: number): Promise<User> {
  const [row] = await db.select().from(users).where(eq(users.id, id))
  if (!row) throw notFound('user_not_found', { id })
  return presentUser(row, (await heldRoles(db, id)).get(id) ?? [])
}

/** The roles of each user, or of one. */
export async function heldRoles(db: Transaction, userId?: number): Promise<Map<number, User['roles']>> {
  const rows = await db
    .select({ userId: userRoles.user_id, id: roles.id, name: roles.name })
    .from(userRoles)
    .innerJoin(roles, eq(roles.id, userRoles.role_id))
    .where(userId === undefined ? undefined : eq(userRoles.user_id, userId))
    .orderBy(asc(roles.id))
  const held = new Map<number, User['roles']>()
  for (const { userId: holder, id, name } of rows)
    held.set(holder, [...(held.get(holder) ?? []), { id, name }])
  return held
}

export const presentUser = (row: typeof users.$inferSelect, held: User['roles']): User => ({
  id: row.id,
  email: row.email,
  name: row.name,
  monitoring_mail_subscription: row.monitoring_mail_subscription,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  deleted_at: row.deleted_at?.toISOString() ?? null,
  roles: held,
})

/** Every role. Admin has all permissions. */
export async function listRoles({ db }: Pick<Context, 'db'> | { db: Transaction }): Promise<Role[]> {
  const rows = await db.select().from(roles).orderBy(asc(roles.id))
  const granted = await db.select().from(rolePermissions)
  const holders = await db
    .select({ role: userRoles.role_id, users: count() })
    .from(userRoles)
    .groupBy(userRoles.role_id)
  const names = new Set(granted.map(({ role_id, permission }) => `${role_id} ${permission}`))
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    permissions: permissions.filter(
      (name) => isAdmin({ roles: [row], permissions: [] }) || names.has(`${row.id} ${name}`),
    ),
    users: holders.find(({ role }) => role === row.id)?.users ?? 0,
    updated_at: row.updated_at.toISOString(),
  }))
}
