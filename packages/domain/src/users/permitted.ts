import { adminRole, type Permission } from '@kustos/contract/permissions'
import type { Transaction } from '@kustos/database/client'
import { rolePermissions, roles, userRoles, users } from '@kustos/database/tables'
import { and, eq, exists, inArray, isNull, or } from 'drizzle-orm'

/** The users who are not deleted and hold one of these permissions, by name. */
export async function listPermittedUsers(db: Transaction, permissions: readonly Permission[]) {
  const permitted = db
    .select({ id: userRoles.user_id })
    .from(userRoles)
    .innerJoin(roles, eq(roles.id, userRoles.role_id))
    .leftJoin(rolePermissions, eq(rolePermissions.role_id, roles.id))
    .where(
      and(
        eq(userRoles.user_id, users.id),
        or(eq(roles.name, adminRole), inArray(rolePermissions.permission, permissions)),
      ),
    )
  return db
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      isSubscribed: users.monitoring_mail_subscription,
    })
    .from(users)
    .where(and(isNull(users.deleted_at), exists(permitted)))
    .orderBy(users.name, users.id)
}
