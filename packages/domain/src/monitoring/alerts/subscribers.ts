import { monitoringRoutes } from '@kustos/contract/monitoring'
import { adminRole } from '@kustos/contract/permissions'
import type { Transaction } from '@kustos/database/client'
import { rolePermissions, roles, userRoles, users } from '@kustos/database/tables'
import { and, eq, exists, inArray, isNull, or } from 'drizzle-orm'

const needed = monitoringRoutes.listIncidents.access.any

/** Addresses of the users who subscribed to monitoring's mails and may see what these tell. */
export async function subscribers(db: Transaction): Promise<readonly string[]> {
  const mayKnow = db
    .select({ id: userRoles.user_id })
    .from(userRoles)
    .innerJoin(roles, eq(roles.id, userRoles.role_id))
    .leftJoin(rolePermissions, eq(rolePermissions.role_id, roles.id))
    .where(
      and(
        eq(userRoles.user_id, users.id),
        or(eq(roles.name, adminRole), inArray(rolePermissions.permission, needed)),
      ),
    )
  const rows = await db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.monitoring_mail_subscription, true), isNull(users.deleted_at), exists(mayKnow)))
    .orderBy(users.id)
  return rows.map((row) => row.email)
}
