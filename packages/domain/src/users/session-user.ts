import { message } from '@kustos/contract/messages'
import { can, isAdmin } from '@kustos/contract/permissions'
import type { Route } from '@kustos/contract/route'
import type { CurrentUser } from '@kustos/contract/users'
import { rolePermissions, roles, userRoles } from '@kustos/database/tables'
import { eq, inArray } from 'drizzle-orm'
import { lockOpenSession, openSessionExists, readOpenSession } from '../auth/index.ts'
import type { Scope } from '../platform/context.ts'
import { DomainError, forbidden } from '../platform/errors.ts'
import { findUserWithPermissionsInTransaction } from './current-user.ts'

interface RequestSession {
  readonly sessionId: string
  readonly userId: number
}

/**
 * Reads the acting user as of now: the session, the user and the permissions may have been revoked since the request began.
 * @param route what the request requires
 * @throws DomainError unauthenticated once the session has ended or the user is deleted, forbidden without the access,
 * unconfirmed if the route requires a recently entered password
 */
export async function readSessionUser(
  scope: Pick<Scope, 'db' | 'now'>,
  { sessionId, userId }: RequestSession,
  { access, confirmation }: Pick<Route, 'access' | 'confirmation'>,
): Promise<CurrentUser> {
  const session = await readOpenSession(scope.db, sessionId, userId, scope.now())
  const user = session && (await findUserWithPermissionsInTransaction(scope, userId))
  if (user === null) throw new DomainError('unauthenticated', message('unauthenticated'))
  if (!can(user, access)) throw forbidden('unauthorized')
  if (confirmation === 'required' && !session?.isConfirmed) throw unconfirmed()
  return user
}

/** @returns the user with the current roles and permissions; null once the session has ended or the user is deleted */
export const findSignedInUser = (
  { db, now }: Pick<Scope, 'db' | 'now'>,
  { sessionId, userId }: RequestSession,
): Promise<CurrentUser | null> =>
  findUserWithPermissionsInTransaction({ db }, userId, openSessionExists(db, sessionId, userId, now()))

/**
 * Locks the roles of a user, and what they permit, until the transaction ends. Changes of these roles wait for it, but not other
 * transactions that call this.
 * @param user as read before
 * @throws DomainError forbidden if the user has lost a permission since
 */
export async function lockPermissionsOf({ db }: Pick<Scope, 'db'>, user: CurrentUser): Promise<void> {
  const held = await db
    .select({ id: roles.id, name: roles.name })
    .from(userRoles)
    .innerJoin(roles, eq(roles.id, userRoles.role_id))
    .where(eq(userRoles.user_id, user.id))
    .for('key share', { of: userRoles })
  // The role admin cannot be changed, and its row is what changes of users and roles lock.
  if (isAdmin({ roles: held, permissions: [] })) return
  const ids = held.map(({ id }) => id)
  await db.select({ id: roles.id }).from(roles).where(inArray(roles.id, ids)).for('share')
  const granted = await db
    .select({ permission: rolePermissions.permission })
    .from(rolePermissions)
    .where(inArray(rolePermissions.role_id, ids))
  const names = new Set(granted.map(({ permission }) => permission))
  if (!user.permissions.every((permission) => names.has(permission))) throw forbidden('unauthorized')
}

/** Locks the session until the transaction ends, so that it is not ended before. @throws DomainError unauthenticated once it has ended */
export async function lockSession(
  { db, now }: Pick<Scope, 'db' | 'now'>,
  { sessionId, userId }: RequestSession,
): Promise<void> {
  if (!(await lockOpenSession(db, sessionId, userId, now())))
    throw new DomainError('unauthenticated', message('unauthenticated'))
}

/** @throws DomainError unconfirmed unless the password of the session was entered recently */
export async function assertConfirmedSession(
  { db, now }: Pick<Scope, 'db' | 'now'>,
  { sessionId, userId }: RequestSession,
): Promise<void> {
  const session = await readOpenSession(db, sessionId, userId, now())
  if (!session?.isConfirmed) throw unconfirmed()
}

const unconfirmed = () => new DomainError('unconfirmed', message('confirmation_required'))
