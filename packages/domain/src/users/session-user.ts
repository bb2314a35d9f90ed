import { message } from '@kustos/contract/messages'
import { type Access, can } from '@kustos/contract/permissions'
import type { CurrentUser } from '@kustos/contract/users'
import { isSignedIn } from '../auth/index.ts'
import type { Scope } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'
import { findUserWithPermissionsInTransaction } from './current-user.ts'

interface SessionAccess {
  readonly sessionId: string
  readonly userId: number
  /** What the request requires. */
  readonly access: Access
}

/**
 * Reads the acting user as of now: the session, the user and the permissions may have been revoked since the request began.
 * @throws DomainError unauthenticated once the session has ended or the user is deleted, forbidden without the access
 */
export async function readSessionUser(
  scope: Pick<Scope, 'db' | 'now'>,
  { sessionId, userId, access }: SessionAccess,
): Promise<CurrentUser> {
  const isOpen = await isSignedIn(scope.db, sessionId, userId, scope.now())
  const user = isOpen ? await findUserWithPermissionsInTransaction(scope, userId) : null
  if (user === null) throw new DomainError('unauthenticated', message('unauthenticated'))
  if (!can(user, access)) throw new DomainError('forbidden', message('unauthorized'))
  return user
}
