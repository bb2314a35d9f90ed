import { users } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { endOtherSessions } from '../auth/index.ts'
import { nextUpdatedAt, withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { conflict } from '../platform/errors.ts'
import { assertAnotherAdmin, assertCanManage, lockPermissions } from './authority.ts'
import { lockUser, logged, userSubject } from './user-row.ts'

/**
 * Deletes a user, who can be restored, and ends their sessions.
 * @throws DomainError not-found; conflict for oneself and the last admin; forbidden for a user with more permissions
 */
export const deleteUser = (context: Context, id: number): Promise<void> =>
  withAudit(context, async (tx) => {
    const authority = await lockPermissions(tx)
    const { row, user } = await lockUser(tx, id, 'active')
    const held = user.roles.map((role) => role.id)
    if (authority.actor?.id === id) throw conflict('own_user_not_deletable')
    assertCanManage(authority, held)
    if (held.includes(authority.adminRoleId)) await assertAnotherAdmin(tx, authority, id)
    const changes = { deleted_at: tx.now(), updated_at: nextUpdatedAt(row, tx) }
    await tx.db.update(users).set(changes).where(eq(users.id, id))
    await endOtherSessions(tx, id, null)
    await tx.record({
      log: 'users',
      description: 'deleted',
      subject: userSubject(id),
      old: logged(user),
    })
  })

/** @throws DomainError not-found for a user who is not deleted; forbidden for a user with more permissions */
export const restoreUser = (context: Context, id: number): Promise<void> =>
  withAudit(context, async (tx) => {
    const authority = await lockPermissions(tx)
    const { row, user } = await lockUser(tx, id, 'deleted')
    assertCanManage(
      authority,
      user.roles.map((role) => role.id),
    )
    const changes = { deleted_at: null, updated_at: nextUpdatedAt(row, tx) }
    await tx.db.update(users).set(changes).where(eq(users.id, id))
    await tx.record({
      log: 'users',
      description: 'restored',
      subject: userSubject(id),
      attributes: logged(user),
    })
  })
