import type { ViewPreference } from '@kustos/contract/views'
import { defaultViews, pinnedViews } from '@kustos/database/tables'
import { and, eq } from 'drizzle-orm'
import { difference, entriesOf, withAudit } from '../platform/audit.ts'
import { type Context, requireActor } from '../platform/context.ts'
import { lockView } from './list.ts'

const entry = entriesOf('views', 'view')

/**
 * Puts a view into the acting user's sidebar or takes it out, and makes it the default of its list or not.
 * @throws DomainError not-found if the user may not open the view
 */
export const editViewPreference = (
  context: Context,
  id: number,
  { is_pinned, is_default }: ViewPreference,
): Promise<void> =>
  withAudit(context, async (tx) => {
    const actor = requireActor(tx)
    const view = await lockView(tx.db, actor, id)
    const wanted = { is_pinned, is_default }
    const changed = difference({ is_pinned: view.is_pinned, is_default: view.is_default }, wanted)
    if (changed === null) return tx.skipAudit()
    const row = { user_id: actor.id, view_id: id }
    if (is_pinned) await tx.db.insert(pinnedViews).values(row).onConflictDoNothing()
    else
      await tx.db
        .delete(pinnedViews)
        .where(and(eq(pinnedViews.user_id, actor.id), eq(pinnedViews.view_id, id)))
    if (is_default)
      await tx.db
        .insert(defaultViews)
        .values({ ...row, list: view.list })
        .onConflictDoUpdate({ target: [defaultViews.user_id, defaultViews.list], set: { view_id: id } })
    else
      await tx.db
        .delete(defaultViews)
        .where(and(eq(defaultViews.user_id, actor.id), eq(defaultViews.view_id, id)))
    await tx.record({ ...entry('preference changed', id), ...changed })
  })
