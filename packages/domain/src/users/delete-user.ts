import { userTexts } from '@kustos/contract/users'
import { users } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { after, change } from '../audit.ts'
import { endOtherSessions } from '../auth/index.ts'
import type { Context } from '../context.ts'
import { conflict } from '../errors.ts'
import { demandAnotherAdmin, demandReach, takeAuthority } from './authority.ts'
import { lockUser, logged, userSubject } from './user-row.ts'

/**
 * Deletes a user so that they can be restored; their sessions end.
 * @throws DomainError not-found; conflict for oneself and for the last admin; forbidden for one who holds more
 */
export const deleteUser = (context: Context, id: number): Promise<void> =>
  change(context, async (inside) => {
    const authority = await takeAuthority(inside)
    const { row, user } = await lockUser(inside, id, 'living')
    const held = user.roles.map((role) => role.id)
    if (authority.actor?.id === id) throw conflict(userTexts.self)
    demandReach(authority, held)
    if (held.includes(authority.adminRoleId)) await demandAnotherAdmin(inside, authority, id)
    const changes = { deleted_at: inside.now(), updated_at: after(row, inside) }
    await inside.db.update(users).set(changes).where(eq(users.id, id))
    await endOtherSessions(inside, id, null)
    await inside.record({
      log: 'users',
      description: 'deleted',
      subject: userSubject(id),
      old: logged(user),
    })
  })

/** @throws DomainError not-found where no such user is deleted; forbidden for one who holds more */
export const restoreUser = (context: Context, id: number): Promise<void> =>
  change(context, async (inside) => {
    const authority = await takeAuthority(inside)
    const { row, user } = await lockUser(inside, id, 'deleted')
    demandReach(
      authority,
      user.roles.map((role) => role.id),
    )
    const changes = { deleted_at: null, updated_at: after(row, inside) }
    await inside.db.update(users).set(changes).where(eq(users.id, id))
    await inside.record({
      log: 'users',
      description: 'restored',
      subject: userSubject(id),
      attributes: logged(user),
    })
  })
