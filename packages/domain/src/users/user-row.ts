import { can } from '@kustos/contract/permissions'
import { type User, usersRoutes, userTexts } from '@kustos/contract/users'
import { userRoles, users } from '@kustos/database/tables'
import { and, eq, isNotNull, ne, sql } from 'drizzle-orm'
import type { Scope } from '../context.ts'
import { brokeUnique, invalid, notFound } from '../errors.ts'
import type { Authority } from './authority.ts'
import { heldRoles, presentUser } from './read.ts'

export const userSubject = (id: number) => ({ type: 'user', id })

/** @throws DomainError not-found where no such user is living, or deleted */
export async function lockUser(inside: Scope, id: number, which: 'living' | 'deleted') {
  const [row] = await inside.db.select().from(users).where(eq(users.id, id)).for('update')
  if (!row || (row.deleted_at === null) !== (which === 'living')) throw notFound(`User ${id}`)
  return { row, user: presentUser(row, (await heldRoles(inside.db, id)).get(id) ?? []) }
}

/** What the log tells of a user. */
export const logged = (user: Pick<User, 'email' | 'name' | 'monitoring_mail_subscription' | 'roles'>) => ({
  email: user.email,
  name: user.name,
  monitoring_mail_subscription: user.monitoring_mail_subscription,
  roles: user.roles.map((role) => role.name),
})

/** What is asked of a user. */
interface Asked {
  readonly email: string
  readonly roles?: readonly number[] | undefined
}

/** Who may have the e-mail already, and stay without roles where they have none. */
interface Themselves {
  readonly id: number
  readonly held: readonly number[]
}

/** What stands against an e-mail or roles, by field; empty where nothing does. @param user null for a new one */
export async function faultsOf(
  inside: Scope,
  { actor, roles: known }: Authority,
  { email, roles: chosen }: Asked,
  user: Themselves | null,
): Promise<Record<string, string>> {
  const [taken] = await inside.db
    .select({ isDeleted: isNotNull(users.deleted_at).mapWith(Boolean) })
    .from(users)
    .where(and(sql`lower(${users.email}) = lower(${email})`, ne(users.id, user?.id ?? 0)))
  // Who is there at all is told to those who may see it.
  const maySee = actor === null || can(actor, usersRoutes.listUsers.access)
  const hasNone = user !== null && user.held.length === 0
  const isUnknown = chosen?.some((roleId) => !known.some((role) => role.id === roleId))
  return {
    ...(taken && { email: taken.isDeleted && maySee ? userTexts.takenByDeleted : userTexts.taken }),
    ...(chosen?.length === 0 && !hasNone && { roles: userTexts.lastRole }),
    ...(isUnknown && { roles: 'There is no such role' }),
  }
}

/** Gives a user these roles and no others. */
export async function setRoles(
  inside: Scope,
  userId: number,
  before: readonly number[],
  chosen: readonly number[],
): Promise<void> {
  for (const roleId of before.filter((id) => !chosen.includes(id))) {
    await inside.db.delete(userRoles).where(and(eq(userRoles.user_id, userId), eq(userRoles.role_id, roleId)))
  }
  const added = chosen.filter((id) => !before.includes(id))
  if (added.length > 0)
    await inside.db.insert(userRoles).values(added.map((role_id) => ({ user_id: userId, role_id })))
}

/** For whoever takes an e-mail amid another's taking it. @throws DomainError invalid, for email */
export async function withFreeEmail<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw brokeUnique(error, 'users_email_in_any_case') ? invalid({ email: userTexts.taken }) : error
  }
}
