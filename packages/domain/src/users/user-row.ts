import { type Message, message } from '@kustos/contract/messages'
import { can } from '@kustos/contract/permissions'
import { type User, usersRoutes } from '@kustos/contract/users'
import { userRoles, users } from '@kustos/database/tables'
import { and, eq, isNotNull, ne, sql } from 'drizzle-orm'
import { entriesOf } from '../platform/audit.ts'
import type { Scope } from '../platform/context.ts'
import { invalid, mapUniqueViolation, notFound } from '../platform/errors.ts'
import type { Authority } from './authority.ts'
import { heldRoles, presentUser } from './read.ts'

export const userSubject = (id: number) => ({ type: 'user', id })
export const userEntry = entriesOf('users', 'user')

/**
 * Locks a user, but not against new rows that refer to the user, such as log entries of what the user does meanwhile: their
 * transactions may hold locks that this one needs.
 * @returns the user with the ids of the held roles
 * @throws DomainError not-found
 */
export async function lockUser(tx: Scope, id: number, which: 'active' | 'deleted') {
  const [row] = await tx.db.select().from(users).where(eq(users.id, id)).for('no key update')
  if (!row || (row.deleted_at === null) !== (which === 'active')) throw notFound('user_not_found', { id })
  const user = presentUser(row, (await heldRoles(tx.db, id)).get(id) ?? [])
  return { row, user, held: user.roles.map((role) => role.id) }
}

/** The fields of a user that the audit log shows. */
export const logged = (
  user: Pick<
    User,
    'email' | 'name' | 'monitoring_mail_subscription' | 'deployment_mail_subscription' | 'roles'
  >,
) => ({
  email: user.email,
  name: user.name,
  monitoring_mail_subscription: user.monitoring_mail_subscription,
  deployment_mail_subscription: user.deployment_mail_subscription,
  roles: user.roles.map((role) => role.name),
})

interface Asked {
  readonly email: string
  readonly roles?: readonly number[] | undefined
}

/** An existing user, who may keep the e-mail, and may stay without roles. */
interface Themselves {
  readonly id: number
  readonly held: readonly number[]
}

/** @param user null for a new one @returns messages by field; empty if e-mail and roles are valid */
export async function validateUser(
  tx: Scope,
  { actor, roles: known }: Authority,
  { email, roles: chosen }: Asked,
  user: Themselves | null,
): Promise<Record<string, Message>> {
  const [taken] = await tx.db
    .select({ isDeleted: isNotNull(users.deleted_at).mapWith(Boolean) })
    .from(users)
    .where(and(sql`lower(${users.email}) = lower(${email})`, ne(users.id, user?.id ?? 0)))
  // Only those who may list users learn that a deleted one exists.
  const maySee = actor === null || can(actor, usersRoutes.listUsers.access)
  const hasNone = user !== null && user.held.length === 0
  const isUnknown = chosen?.some((roleId) => !known.some((role) => role.id === roleId))
  return {
    ...(taken && {
      email: message(taken.isDeleted && maySee ? 'email_taken_by_deleted_user' : 'email_taken'),
    }),
    ...(chosen?.length === 0 && !hasNone && { roles: message('role_required') }),
    ...(isUnknown && { roles: message('role_unknown') }),
  }
}

export async function setRoles(
  tx: Scope,
  userId: number,
  before: readonly number[],
  chosen: readonly number[],
): Promise<void> {
  for (const roleId of before.filter((id) => !chosen.includes(id))) {
    await tx.db.delete(userRoles).where(and(eq(userRoles.user_id, userId), eq(userRoles.role_id, roleId)))
  }
  const added = chosen.filter((id) => !before.includes(id))
  if (added.length > 0)
    await tx.db.insert(userRoles).values(added.map((role_id) => ({ user_id: userId, role_id })))
}

/** The index rejects one of two simultaneous changes to the same e-mail. @throws DomainError invalid, for email */
export const withFreeEmail = <T>(work: () => Promise<T>): Promise<T> =>
  mapUniqueViolation({ users_email_in_any_case: () => invalid({ email: message('email_taken') }) }, work)
