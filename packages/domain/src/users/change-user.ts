import { message } from '@kustos/contract/messages'
import { can } from '@kustos/contract/permissions'
import { type NewUser, type User, type UserChange, usersRoutes } from '@kustos/contract/users'
import { users } from '@kustos/database/tables'
import { and, eq, isNull, sql } from 'drizzle-orm'
import {
  acceptPassword,
  attemptOwnPassword,
  clearAttempts,
  endOtherSessions,
  findPasswordProblem,
  hashPassword,
  mailNewEmail,
  mailNewPassword,
  returnAcceptedAttempt,
  type Visitor,
} from '../auth/index.ts'
import {
  type AuditTransaction,
  difference,
  nextUpdatedAt,
  rejectStaleWrite,
  withAudit,
} from '../platform/audit.ts'
import { type Context, requireActor } from '../platform/context.ts'
import { conflict, DomainError, forbidden, invalid, notFound } from '../platform/errors.ts'
import { assertAnotherAdmin, assertCanGrantRoles, assertCanManage, lockPermissions } from './authority.ts'
import { forgetEmailChange, requestEmailChange } from './email-change.ts'
import { heldRoles, listRoles, presentUser } from './read.ts'
import {
  lockUser,
  logged,
  setRoles,
  userEntry,
  userSubject,
  validateUser,
  withFreeEmail,
} from './user-row.ts'

/**
 * @throws DomainError invalid for a taken e-mail (also by a deleted user), a weak password or an unknown role; forbidden
 * for a role with permissions that the acting user lacks
 */
export async function createUser(context: Context, input: NewUser): Promise<User> {
  const { email, name, roles: chosen, monitoring_mail_subscription } = input
  const fault = await findPasswordProblem(input.password, input)
  const hash = await hashPassword(input.password)
  return withFreeEmail(() =>
    withAudit(context, async (tx) => {
      const authority = await lockPermissions(tx)
      const faults = {
        ...(await validateUser(tx, authority, input, null)),
        ...(fault !== null && { password: fault }),
      }
      if (Object.keys(faults).length > 0) throw invalid(faults)
      assertCanGrantRoles(authority, chosen)
      const now = tx.now()
      const [row] = await tx.db
        .insert(users)
        .values({
          email,
          name,
          password_hash: hash,
          monitoring_mail_subscription,
          created_at: now,
          updated_at: now,
        })
        .returning()
      if (!row) throw new Error('The user was not inserted')
      await setRoles(tx, row.id, [], chosen)
      const user = presentUser(row, (await heldRoles(tx.db, row.id)).get(row.id) ?? [])
      await tx.record({ ...userEntry('created', user.id), attributes: logged(user) })
      return user
    }),
  )
}

/** @returns the ids of the named roles @throws DomainError invalid, for roles */
export async function findRolesByName(context: Context, names: readonly string[]): Promise<number[]> {
  const known = await listRoles(context)
  return names.map((name) => {
    const role = known.find((one) => one.name === name)
    if (!role) throw invalid({ roles: message('role_named_unknown', { name }) })
    return role.id
  })
}

/**
 * Changes the acting user, or any user if the acting user may manage users, which roles require in any case. Omitted
 * fields stay unchanged. A new password ends the user's other sessions. The own password and e-mail need the current password.
 * @throws DomainError not-found, also for a deleted user; forbidden for another user or more permissions than the acting
 * user has; unconfirmed for another user or other roles unless the password was entered recently; conflict if the user has changed since `updated_at`, and for the last admin; invalid
 * @param visitor null where nobody can enter a password: then the own e-mail cannot be changed
 */
export async function editUser(
  context: Context,
  id: number,
  { password, current_password: currentPassword, ...input }: UserChange,
  visitor: (Visitor & { readonly sessionId: string }) | null,
): Promise<void> {
  const mayManage = (actor: Context['actor']) => can(actor, usersRoutes.listUsers.access)
  const { id: actorId, email } = requireActor(context)
  const isOwn = actorId === id
  if (!isOwn && !mayManage(context.actor)) throw forbidden('own_data_only')
  const needsPassword = (before: string) => isOwn && (password != null || input.email !== before)
  const confirmed =
    visitor !== null && needsPassword(email) ? await confirmChange(context, currentPassword, visitor) : null
  const fault = password == null ? null : await findPasswordProblem(password, input)
  const hash = password == null ? null : await hashPassword(password)
  let isAccepted = false
  await withFreeEmail(() =>
    withAudit(context, async (tx) => {
      const authority = await lockPermissions(tx)
      if (!isOwn && !mayManage(authority.actor)) throw forbidden('own_data_only')
      const { row, user, held } = await lockUser(tx, id, 'active')
      if (!isOwn) {
        await tx.assertConfirmed()
        assertCanManage(authority, held)
      }
      const asksForEmail = isOwn && canConfirmEmail(context) && differs(input.email, user.email)
      if (
        needsPassword(user.email) &&
        // Each request sends mails to addresses of the user's choice, so it uses up an attempt.
        (confirmed === null || !(await acceptPassword(tx, confirmed, { returnsAttempt: !asksForEmail })))
      )
        throw wrongPassword()
      isAccepted = confirmed !== null
      await rejectStaleWrite(tx, userSubject(id), 'user', row.updated_at, input.updated_at)
      const chosen = mayManage(authority.actor) ? input.roles : undefined
      const faults = {
        ...(await validateUser(tx, authority, { email: input.email, roles: chosen }, { id, held })),
        ...(fault !== null && { password: fault }),
      }
      if (Object.keys(faults).length > 0) throw invalid(faults)
      const roleIds = chosen ?? held
      const added = roleIds.filter((roleId) => !held.includes(roleId))
      if (added.length > 0 || roleIds.length < held.length) await tx.assertConfirmed()
      assertCanGrantRoles(authority, added)
      const isAdmins = (ids: readonly number[]) => ids.includes(authority.adminRoleId)
      if (isAdmins(held) && !isAdmins(roleIds)) await assertAnotherAdmin(tx, authority, id)
      const next = {
        email: asksForEmail ? user.email : input.email,
        name: input.name,
        monitoring_mail_subscription: input.monitoring_mail_subscription ?? user.monitoring_mail_subscription,
        deployment_mail_subscription: input.deployment_mail_subscription ?? user.deployment_mail_subscription,
      }
      const roles = authority.roles.filter((role) => roleIds.includes(role.id))
      const changed = difference(logged(user), logged({ ...next, roles }))
      if (asksForEmail || hash !== null || differs(next.email, user.email)) await forgetEmailChange(tx, id)
      if (asksForEmail) {
        await requestEmailChange(tx, user, input.email)
        await tx.record({
          ...userEntry('e-mail change requested', id),
          attributes: { email: input.email },
        })
      }
      if (!changed && hash === null) return asksForEmail ? undefined : tx.skipAudit()
      await setRoles(tx, id, held, roleIds)
      await tx.db
        .update(users)
        .set({ ...next, ...(hash !== null && { password_hash: hash }), updated_at: nextUpdatedAt(row, tx) })
        .where(eq(users.id, id))
      if (hash !== null) {
        await endOtherSessions(tx, id, isOwn ? (visitor?.sessionId ?? null) : null)
        await clearAttempts(tx, next.email)
        await mailNewPassword(tx, user.email)
      }
      if (differs(next.email, user.email)) await mailNewEmail(tx, user.email, next.email)
      const description = hash === null ? 'updated' : 'updated, with a new password'
      await tx.record({ ...userEntry(description, id), ...changed })
    }),
  ).catch(async (error: unknown) => {
    // An attempt for another e-mail stays counted, since its refusal reveals whether somebody has that e-mail.
    const isReturned = isAccepted && error instanceof DomainError && !differs(input.email, email)
    if (isReturned && confirmed !== null) await returnAcceptedAttempt(context, confirmed)
    throw error
  })
}

/** @throws DomainError invalid, for current_password, if it is missing or wrong; too-many */
async function confirmChange(context: Context, currentPassword: string | undefined, visitor: Visitor) {
  if (!currentPassword) throw invalid({ current_password: message('password_required') })
  const attempt = await attemptOwnPassword(context, currentPassword, visitor)
  if (attempt === null) throw wrongPassword()
  return attempt
}

/** Without a link, a new e-mail counts at once. */
const canConfirmEmail = ({ mail }: Context) => mail !== undefined && mail.publicUrl !== null

const differs = (email: string, other: string) => email.toLowerCase() !== other.toLowerCase()

const wrongPassword = () => invalid({ current_password: message('password_wrong') })

/** A check of the caller, after which nobody else changes users before the transaction ends. */
type Check = (tx: AuditTransaction) => Promise<void>

/**
 * Deletes a user, who can be restored, and ends their sessions.
 * @throws DomainError not-found; conflict for oneself and the last admin; forbidden for a user with more permissions; errors of the
 * check
 */
export const deleteUser = (context: Context, id: number, check?: Check): Promise<void> =>
  withAudit(context, async (tx) => {
    const authority = await lockPermissions(tx)
    await check?.(tx)
    const { row, user, held } = await lockUser(tx, id, 'active')
    if (authority.actor?.id === id) throw conflict('own_user_not_deletable')
    assertCanManage(authority, held)
    if (held.includes(authority.adminRoleId)) await assertAnotherAdmin(tx, authority, id)
    const changes = { deleted_at: tx.now(), updated_at: nextUpdatedAt(row, tx) }
    await tx.db.update(users).set(changes).where(eq(users.id, id))
    await endOtherSessions(tx, id, null)
    await forgetEmailChange(tx, id)
    await tx.record({ ...userEntry('deleted', id), old: logged(user) })
  })

/**
 * Ends all sessions of another user, who can sign in again.
 * @throws DomainError not-found for an unknown or deleted user; conflict for oneself; forbidden for a user with more permissions
 */
export const endUserSessions = (context: Context, id: number): Promise<void> =>
  withAudit(context, async (tx) => {
    const authority = await lockPermissions(tx)
    const { held } = await lockUser(tx, id, 'active')
    if (authority.actor?.id === id) throw conflict('own_sessions_in_settings')
    assertCanManage(authority, held)
    const count = await endOtherSessions(tx, id, null)
    if (count === 0) return tx.skipAudit()
    await tx.record({
      log: 'auth',
      description: 'all sessions ended',
      subject: { type: 'user', id },
      attributes: { sessions: count },
    })
  })

/** @throws DomainError not-found for a user who is not deleted; forbidden for a user with more permissions; errors of the check */
export const restoreUser = (context: Context, id: number, check?: Check): Promise<void> =>
  withAudit(context, async (tx) => {
    const authority = await lockPermissions(tx)
    await check?.(tx)
    const { row, user, held } = await lockUser(tx, id, 'deleted')
    assertCanManage(authority, held)
    const changes = { deleted_at: null, updated_at: nextUpdatedAt(row, tx) }
    await tx.db.update(users).set(changes).where(eq(users.id, id))
    await tx.record({ ...userEntry('restored', id), attributes: logged(user) })
  })

/**
 * Sets a password at the command line, ends all sessions of the user and what failed sign-ins have locked.
 * @throws DomainError not-found for an unknown or deleted user; invalid for a weak password
 */
export async function setPassword(context: Context, email: string, password: string): Promise<void> {
  const hash = await hashPassword(password)
  await withAudit(context, async (tx) => {
    const [row] = await tx.db
      .select()
      .from(users)
      .where(and(sql`lower(${users.email}) = lower(${email})`, isNull(users.deleted_at)))
      .for('no key update')
    if (!row) throw notFound('user_with_email_not_found', { email })
    const fault = await findPasswordProblem(password, row)
    if (fault !== null) throw invalid({ password: fault })
    await tx.db
      .update(users)
      .set({ password_hash: hash, updated_at: nextUpdatedAt(row, tx) })
      .where(eq(users.id, row.id))
    await endOtherSessions(tx, row.id, null)
    await clearAttempts(tx, row.email)
    await forgetEmailChange(tx, row.id)
    await mailNewPassword(tx, row.email)
    await tx.record(userEntry('updated, with a new password', row.id))
  })
}
