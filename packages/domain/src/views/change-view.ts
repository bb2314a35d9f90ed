import { message } from '@kustos/contract/messages'
import { isAdmin } from '@kustos/contract/permissions'
import type { CurrentUser } from '@kustos/contract/users'
import { maxQueryLength, maxViews, type NewView, type View, type ViewChange } from '@kustos/contract/views'
import { roles, views } from '@kustos/database/tables'
import { eq, sql } from 'drizzle-orm'
import {
  type AuditTransaction,
  difference,
  entriesOf,
  nextUpdatedAt,
  rejectStaleWrite,
  withAudit,
} from '../platform/audit.ts'
import { type Context, requireActor, type Scope } from '../platform/context.ts'
import { conflict, forbidden, forbiddenWithReason, invalid, mapUniqueViolation } from '../platform/errors.ts'
import { lockInTransaction } from '../platform/locks.ts'
import { canOpenList, readView } from './list.ts'

const subject = (id: number) => ({ type: 'view', id })
const entry = entriesOf('views', 'view')

/**
 * Saves a view of the acting user.
 * @throws DomainError forbidden if the user may not open the list or lacks the role; conflict if the user has `maxViews` already;
 * invalid, for name, if another view of the user has it in this list
 */
export const createView = (context: Context, input: NewView): Promise<View> =>
  withFreeName(() =>
    withAudit(context, async (tx) => {
      // Before the role is locked, so that a request that waits here holds no lock that others need.
      await lockInTransaction(tx.db, 'views')
      const actor = requireActor({ actor: await tx.readActorAgain() })
      if (!canOpenList(actor, input.list)) throw forbidden('unauthorized')
      if ((await tx.db.$count(views, eq(views.owner_id, actor.id))) >= maxViews)
        throw conflict('views_too_many', { max: maxViews })
      const role = await chooseRole(tx, actor, input)
      const now = tx.now()
      const [row] = await tx.db
        .insert(views)
        .values({ ...input, role_id: role?.id ?? null, owner_id: actor.id, created_at: now, updated_at: now })
        .returning({ id: views.id })
      if (!row) throw new Error('The view was not inserted')
      const view = await readView(tx.db, actor, row.id)
      await tx.record({ ...entry('created', view.id), attributes: loggedView(view) })
      return view
    }),
  )

/**
 * Changes a view for everybody who sees it.
 * @throws DomainError not-found; forbidden unless the acting user may change it; conflict if it has changed since `updated_at`;
 * invalid as for a new one, but the query may be as long as it is
 */
export const editView = (
  context: Context,
  id: number,
  { updated_at: seen, ...input }: ViewChange,
): Promise<void> =>
  withFreeName(() =>
    withAudit(context, async (tx) => {
      const { actor, view } = await lockEditable(tx, id)
      const updatedAt = new Date(view.updated_at)
      await rejectStaleWrite(tx, subject(id), 'view', updatedAt, seen)
      if (input.query !== view.query && input.query.length > maxQueryLength)
        throw invalid({ query: message('too_long', { max: maxQueryLength }) })
      const role = await chooseRole(tx, actor, input, view.role)
      const changed = difference(loggedView(view), loggedView({ ...input, list: view.list, role }))
      if (changed === null) return tx.skipAudit()
      await tx.db
        .update(views)
        .set({
          ...input,
          role_id: role?.id ?? null,
          updated_at: nextUpdatedAt({ updated_at: updatedAt }, tx),
        })
        .where(eq(views.id, id))
      await tx.record({ ...entry('updated', id), ...changed })
    }),
  )

/** @throws DomainError not-found; forbidden unless the acting user may change it */
export const deleteView = (context: Context, id: number): Promise<void> =>
  withAudit(context, async (tx) => {
    const { view } = await lockEditable(tx, id)
    await tx.db.delete(views).where(eq(views.id, id))
    await tx.record({ ...entry('deleted', id), old: loggedView(view) })
  })

/**
 * Makes the views of a role private, since the role is being deleted in this transaction. Their owners keep them.
 */
export async function makeViewsOfRolePrivate(
  tx: AuditTransaction,
  role: { readonly id: number; readonly name: string },
) {
  const changed = await tx.db
    .update(views)
    .set({
      audience: 'private',
      role_id: null,
      updated_at: sql`greatest(${tx.now().toISOString()}, ${views.updated_at} + interval '1 ms')`,
    })
    .where(eq(views.role_id, role.id))
    .returning({ id: views.id, name: views.name })
  await tx.recordAll(
    changed.map(({ id, name }) => ({
      ...entry('updated', id),
      old: { name, audience: 'role', role: role.name },
      attributes: { name, audience: 'private', role: null },
    })),
  )
}

/**
 * Such as `fqdn=300`, in one order, since the database has another one than the request. Keys would be names of properties, which the
 * log refuses if they are like those of secrets.
 */
export const listWidths = (widths: View['column_widths']): string[] =>
  Object.entries(widths)
    .map(([column, width]) => `${column}=${width}`)
    .sort()

/** What users edit. */
export const loggedView = ({
  list,
  name,
  query,
  column_order,
  column_widths,
  audience,
  role,
}: Omit<NewView, 'role_id'> & { readonly role: View['role'] }) => ({
  list,
  name,
  query,
  column_order,
  column_widths: listWidths(column_widths),
  audience,
  role: role?.name ?? null,
})

async function lockEditable(tx: AuditTransaction, id: number) {
  await tx.db.select({ id: views.id }).from(views).where(eq(views.id, id)).for('update')
  const actor = requireActor({ actor: await tx.readActorAgain() })
  const view = await readView(tx.db, actor, id)
  if (!view.is_editable) throw forbiddenWithReason(message('view_not_editable', { owner: view.owner.name }))
  return { actor, view }
}

/**
 * Users share with roles of their own, administrators with any.
 * @param current the view's role, which may stay
 */
async function chooseRole(
  { db }: Scope,
  actor: CurrentUser,
  { audience, role_id: id }: Pick<NewView, 'audience' | 'role_id'>,
  current: View['role'] = null,
): Promise<View['role']> {
  if (audience !== 'role' || id === null) return null
  if (id === current?.id) return current
  const own = actor.roles.find((role) => role.id === id)
  // Nobody else learns which roles exist.
  if (own === undefined && !isAdmin(actor))
    throw forbiddenWithReason(message('view_role_not_held'), 'role_id')
  const [role] = await db
    .select({ id: roles.id, name: roles.name })
    .from(roles)
    .where(eq(roles.id, id))
    .for('key share')
  if (!role) throw invalid({ role_id: message('role_unknown') })
  return role
}

/** The index ensures that of simultaneous requests only one succeeds. */
const withFreeName = <T>(work: () => Promise<T>): Promise<T> =>
  mapUniqueViolation({ views_name: () => invalid({ name: message('view_name_taken') }) }, work)
