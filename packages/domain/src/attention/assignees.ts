import { type AttentionKind, attentionAccess, isPersonalKind } from '@kustos/contract/attention'
import { adminRole, can } from '@kustos/contract/permissions'
import { rolePermissions, roles, userRoles, users } from '@kustos/database/tables'
import { asc, eq, isNull, sql } from 'drizzle-orm'
import type { Context, Scope } from '../platform/context.ts'
import { forbidden, refusedField } from '../platform/errors.ts'
import { findUserWithPermissionsInTransaction } from '../users/index.ts'

/** The users who may see entries of a kind, by name. @throws DomainError forbidden if the acting user may not */
export async function listAssignees({ db, actor }: Pick<Context, 'db' | 'actor'>, kind: AttentionKind) {
  if (!can(actor, attentionAccess[kind])) throw forbidden('unauthorized')
  if (isPersonalKind(kind)) return []
  const rows = await db
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      isAdmin: sql<boolean>`coalesce(bool_or(${roles.name} = ${adminRole}), false)`,
      permissions: sql<string[]>`array_remove(array_agg(${rolePermissions.permission}), null)`,
    })
    .from(users)
    .leftJoin(userRoles, eq(userRoles.user_id, users.id))
    .leftJoin(roles, eq(roles.id, userRoles.role_id))
    .leftJoin(rolePermissions, eq(rolePermissions.role_id, roles.id))
    .where(isNull(users.deleted_at))
    .groupBy(users.id)
    .orderBy(asc(users.name), asc(users.id))
  return rows.flatMap(({ isAdmin, permissions, ...user }) =>
    can({ roles: isAdmin ? [{ name: adminRole }] : [], permissions }, attentionAccess[kind]) ? [user] : [],
  )
}

/** @throws DomainError invalid, for user, if there is no such user or they may not see entries of the kind */
export async function findAssignee({ db }: Pick<Scope, 'db'>, id: number, kind: AttentionKind) {
  const user = await findUserWithPermissionsInTransaction({ db }, id)
  if (user === null) throw refusedField('user', 'user_not_found', { id })
  if (isPersonalKind(kind) || !can(user, attentionAccess[kind]))
    throw refusedField('user', 'assignee_cannot_see', { email: user.email })
  return user
}
