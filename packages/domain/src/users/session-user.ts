import { message } from '@kustos/contract/messages'
import { can } from '@kustos/contract/permissions'
import type { Route } from '@kustos/contract/route'
import type { CurrentUser } from '@kustos/contract/users'
import { lockOpenSession, openSessionExists, readOpenSession } from '../auth/index.ts'
import type { Scope } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'
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
  if (!can(user, access)) throw new DomainError('forbidden', message('unauthorized'))
  if (confirmation === 'required' && !session?.isConfirmed) throw unconfirmed()
  return user
}

/** @returns the user with the current roles and permissions; null once the session has ended or the user is deleted */
export const findSignedInUser = (
  { db, now }: Pick<Scope, 'db' | 'now'>,
  { sessionId, userId }: RequestSession,
): Promise<CurrentUser | null> =>
  findUserWithPermissionsInTransaction({ db }, userId, openSessionExists(db, sessionId, userId, now()))

/** Keeps the session from being ended before the transaction. @throws DomainError unauthenticated once it has ended */
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
