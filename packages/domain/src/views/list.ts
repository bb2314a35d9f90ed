import { can, isAdmin } from '@kustos/contract/permissions'
import type { CurrentUser } from '@kustos/contract/users'
import { listNames, listsWithViews, type View } from '@kustos/contract/views'
import { defaultViews, pinnedViews, roles, users, viewSubscriptions, views } from '@kustos/database/tables'
import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { type Context, requireActor, type Scope } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'

/** The views that the acting user may open, ordered by name. */
export const listViews = (context: Context): Promise<View[]> => selectViews(context.db, requireActor(context))

/** @throws DomainError not-found if there is none, or if the user may not open it */
export async function readView(db: Scope['db'], actor: CurrentUser, id: number): Promise<View> {
  const [found] = await selectViews(db, actor, eq(views.id, id))
  if (!found) throw notFound('view_not_found', { id })
  return found
}

/**
 * Does the same before something is stored with a view, which then cannot be deleted before the transaction ends.
 * @throws DomainError not-found, also if it was deleted a moment ago
 */
export async function lockView(db: Scope['db'], actor: CurrentUser, id: number): Promise<View> {
  await db.select({ id: views.id }).from(views).where(eq(views.id, id)).for('key share')
  return readView(db, actor, id)
}

export const canOpenList = (actor: CurrentUser, list: View['list']): boolean =>
  can(actor, listsWithViews[list].access)

async function selectViews(
  db: Pick<Scope['db'], 'select'>,
  actor: CurrentUser,
  condition?: SQL,
): Promise<View[]> {
  const rows = await db
    .select({
      view: views,
      owner: { id: users.id, name: users.name },
      role: { id: roles.id, name: roles.name },
      is_pinned: sql<boolean>`${pinnedViews.view_id} is not null`,
      is_default: sql<boolean>`${defaultViews.view_id} is not null`,
      delivery: viewSubscriptions.delivery,
    })
    .from(views)
    .innerJoin(users, eq(users.id, views.owner_id))
    .leftJoin(roles, and(eq(views.audience, 'role'), eq(roles.id, views.role_id)))
    .leftJoin(pinnedViews, and(eq(pinnedViews.view_id, views.id), eq(pinnedViews.user_id, actor.id)))
    .leftJoin(defaultViews, and(eq(defaultViews.view_id, views.id), eq(defaultViews.user_id, actor.id)))
    .leftJoin(
      viewSubscriptions,
      and(eq(viewSubscriptions.view_id, views.id), eq(viewSubscriptions.user_id, actor.id)),
    )
    .where(and(visibleViews(actor), condition))
    .orderBy(sql`lower(${views.name})`, views.id)
  return rows.map(({ view, owner, role, is_pinned, is_default, delivery }) => ({
    id: view.id,
    list: view.list,
    name: view.name,
    query: view.query,
    column_order: view.column_order,
    column_widths: view.column_widths,
    audience: view.audience === 'role' && role === null ? 'private' : view.audience,
    role,
    owner,
    is_editable: owner.id === actor.id || isAdmin(actor),
    is_pinned,
    is_default,
    notifications: delivery ?? 'off',
    created_at: view.created_at.toISOString(),
    updated_at: view.updated_at.toISOString(),
  }))
}

/**
 * A condition on views. Others' private views are hidden even from administrators here; the audit log has their changes, with name and
 * filter, like all others.
 */
export function visibleViews(actor: CurrentUser): SQL | undefined {
  const roleIds = actor.roles.map(({ id }) => id)
  return and(
    inArray(
      views.list,
      listNames.filter((list) => canOpenList(actor, list)),
    ),
    or(
      eq(views.owner_id, actor.id),
      eq(views.audience, 'everyone'),
      and(eq(views.audience, 'role'), inArray(views.role_id, roleIds)),
    ),
  )
}

/** Whether a user may open a view, as `visibleViews`. */
export const maySeeView = (
  actor: CurrentUser,
  { list, owner_id, audience, role_id }: typeof views.$inferSelect,
): boolean =>
  canOpenList(actor, list) &&
  (owner_id === actor.id ||
    audience === 'everyone' ||
    (audience === 'role' && actor.roles.some(({ id }) => id === role_id)))
