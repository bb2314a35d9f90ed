import { isAdmin, permissions } from '@kustos/contract/permissions'
import type { Role, User } from '@kustos/contract/users'
import type { Transaction } from '@kustos/database/client'
import { rolePermissions, roles, userRoles, users } from '@kustos/database/tables'
import { asc, count, eq } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { serializeDates } from '../platform/serialize-dates.ts'

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

export async function heldRoles(db: Transaction, userId?: number): Promise<Map<number, User['roles']>> {
  const rows = await db
    .select({ holder: userRoles.user_id, role: { id: roles.id, name: roles.name } })
    .from(userRoles)
    .innerJoin(roles, eq(roles.id, userRoles.role_id))
    .where(userId === undefined ? undefined : eq(userRoles.user_id, userId))
    .orderBy(asc(roles.id))
  const groups = [...Map.groupBy(rows, ({ holder }) => holder)]
  return new Map(groups.map(([holder, held]) => [holder, held.map(({ role }) => role)]))
}

export const presentUser = (
  { password_hash: _, ...row }: typeof users.$inferSelect,
  held: User['roles'],
): User => ({ ...serializeDates(row), roles: held })

/** Every role. Admin has all permissions. */
export async function listRoles({ db }: Pick<Context, 'db'> | { db: Transaction }): Promise<Role[]> {
  const rows = await db.select().from(roles).orderBy(asc(roles.id))
  const granted = await db.select().from(rolePermissions)
  const holders = await db
    .select({ role: userRoles.role_id, users: count() })
    .from(userRoles)
    .groupBy(userRoles.role_id)
  const names = new Set(granted.map(({ role_id, permission }) => `${role_id} ${permission}`))
  return rows.map(({ created_at: _, ...row }) => ({
    ...serializeDates(row),
    permissions: permissions.filter(
      (name) => isAdmin({ roles: [row], permissions: [] }) || names.has(`${row.id} ${name}`),
    ),
    users: holders.find(({ role }) => role === row.id)?.users ?? 0,
  }))
}
