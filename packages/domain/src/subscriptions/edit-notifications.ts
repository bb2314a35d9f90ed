import { type EvaluatedList, notificationObstacle, type ViewNotifications } from '@kustos/contract/views'
import { viewSubscriptions } from '@kustos/database/tables'
import { and, eq } from 'drizzle-orm'
import { entriesOf, withAudit } from '../platform/audit.ts'
import { type Context, requireActor } from '../platform/context.ts'
import { forbidden, refusedField } from '../platform/errors.ts'
import { lockView } from '../views/index.ts'
import { scopeOf } from './rows.ts'

const entry = entriesOf('views', 'view')

/**
 * Whether and how the acting user is notified of rows that enter a view.
 * @throws DomainError not-found if the user may not open the view; invalid if the server cannot evaluate it; forbidden if the user
 * may not see its rows
 */
export const editViewNotifications = (
  context: Context,
  id: number,
  { delivery, language }: ViewNotifications,
): Promise<void> =>
  withAudit(context, async (tx) => {
    const actor = requireActor(tx)
    const view = await lockView(tx.db, actor, id)
    const isIt = and(eq(viewSubscriptions.user_id, actor.id), eq(viewSubscriptions.view_id, id))
    const [before] = await tx.db
      .select({ language: viewSubscriptions.language })
      .from(viewSubscriptions)
      .where(isIt)
      .for('update')
    const isSameDelivery = view.notifications === delivery
    const isSameLanguage = delivery === 'off' || before === undefined || before.language === language
    if (isSameDelivery && isSameLanguage) return tx.skipAudit()
    if (delivery === 'off') await tx.db.delete(viewSubscriptions).where(isIt)
    else {
      const obstacle = notificationObstacle(view.list, [...new URLSearchParams(view.query)])
      if (obstacle !== null) throw refusedField('delivery', `view_${obstacle}_not_evaluated`)
      if (scopeOf(actor, view.list as EvaluatedList, view.query) === null) throw forbidden('unauthorized')
      const chosen = { delivery, language }
      const mailed_until = tx.now()
      await tx.db
        .insert(viewSubscriptions)
        .values({ user_id: actor.id, view_id: id, ...chosen, mailed_until })
        .onConflictDoUpdate({
          target: [viewSubscriptions.user_id, viewSubscriptions.view_id],
          // A mail that is due is not lost for another language.
          set: isSameDelivery ? chosen : { ...chosen, mailed_until },
        })
    }
    // Nothing else remembers the language for a revert.
    const old = { notifications: view.notifications, ...((delivery === 'off' || !isSameLanguage) && before) }
    const attributes = { notifications: delivery, ...(!isSameLanguage && { language }) }
    await tx.record({ ...entry('preference changed', id), old, attributes })
  })
