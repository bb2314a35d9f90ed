import { isAdmin, permissions } from '@kustos/contract/permissions'
import type { CurrentUser } from '@kustos/contract/users'
import { cachePreparedQuery, type Database, type Transaction } from '@kustos/database/client'
import { rolePermissions, roles, userRoles, users } from '@kustos/database/tables'
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Scope } from '../platform/context.ts'
import { serializeDates } from '../platform/serialize-dates.ts'

const activeUserQuery = (db: Transaction, condition?: SQL) =>
  db
    .select({ user: users, role: { id: roles.id, name: roles.name }, permission: rolePermissions.permission })
    .from(users)
    .leftJoin(userRoles, eq(userRoles.user_id, users.id))
    .leftJoin(roles, eq(roles.id, userRoles.role_id))
    .leftJoin(rolePermissions, eq(rolePermissions.role_id, roles.id))
    .where(and(eq(users.id, sql.placeholder('id')), isNull(users.deleted_at), condition))
    .orderBy(roles.id)

const preparedUser = cachePreparedQuery((db) => activeUserQuery(db).prepare('active_user'))

/** @returns a user with the current roles and permissions, which are all for an admin; null if unknown or deleted */
export async function findUserWithPermissions(db: Database, id: number): Promise<CurrentUser | null> {
  return presented(await preparedUser(db).execute({ id }))
}

/**
 * Reads inside the transaction, so it sees what others have committed since.
 * @param condition has to be met, too
 */
export async function findUserWithPermissionsInTransaction(
  { db }: Pick<Scope, 'db'>,
  id: number,
  condition?: SQL,
): Promise<CurrentUser | null> {
  return presented(await activeUserQuery(db, condition).execute({ id }))
}

function presented(rows: Awaited<ReturnType<typeof activeUserQuery>>): CurrentUser | null {
  if (rows[0] === undefined) return null
  const { password_hash: _, deleted_at: __, ...user } = rows[0].user
  const held = new Map(rows.flatMap(({ role }) => (role ? [[role.id, role] as const] : [])))
  const granted = new Set(rows.map((row) => row.permission))
  const holder = { roles: [...held.values()], permissions: permissions.filter((name) => granted.has(name)) }
  return {
    ...serializeDates(user),
    roles: holder.roles,
    permissions: isAdmin(holder) ? [...permissions] : holder.permissions,
  }
}
