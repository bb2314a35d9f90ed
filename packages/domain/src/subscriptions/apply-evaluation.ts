import type { CurrentUser } from '@kustos/contract/users'
import { viewPath } from '@kustos/contract/views'
import type { Transaction } from '@kustos/database/client'
import {
  attentionHandling,
  viewEvaluations,
  viewRows,
  viewSubscriptions,
  views,
} from '@kustos/database/tables'
import { and, eq, sql } from 'drizzle-orm'
import { type AuditTransaction, withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import type { Evaluation } from './evaluation-thread.ts'
import type { GridScope, Member } from './grids.ts'
import { describeEntered } from './mail-texts.ts'
import {
  type EvaluationKey,
  evaluationKeyOf,
  isSameKey,
  lockSubscriber,
  lockSubscriptions,
  type Subscription,
  type ViewRow,
} from './subscribers.ts'

type EvaluationRow = typeof viewEvaluations.$inferSelect

export interface Target {
  readonly view: ViewRow
  readonly key: EvaluationKey
  /** As it was when its rows were determined. */
  readonly known: EvaluationRow | undefined
  readonly subscriptions: readonly Subscription[]
}

/**
 * Stores which rows are in a view and notifies its subscribers of those that have entered: rows, notices and mails in one
 * transaction, so that a worker that dies has done all or nothing. What was changed since the rows were determined waits for the next
 * evaluation.
 * @returns the number of rows that have entered
 */
export const applyEvaluation = (
  context: Context,
  gridScope: GridScope,
  target: Target,
  { digest, members }: Evaluation,
): Promise<number> =>
  withAudit(context, async (tx) => {
    tx.skipAudit()
    // Permissions first, since the deletion of a role locks it and then its views.
    const users = new Map<number, CurrentUser | null>()
    for (const { user_id: id } of target.subscriptions) users.set(id, await lockSubscriber(tx.db, id))
    const view = await lockView(tx.db, target)
    const evaluation = view && (await lockEvaluation(tx.db, target))
    if (!evaluation) return 0
    const subscriptions = await lockSubscriptions(
      tx.db,
      target.subscriptions.map(({ id }) => id),
    )
    // Later than the last time even if the clock is not, so that each is an occurrence of its own.
    const at = new Date(Math.max(tx.now().getTime(), (evaluation.entered_at?.getTime() ?? 0) + 1))
    const isNew = evaluation.digest === null || evaluation.filter !== target.key.filter
    const entered =
      members === null ? [] : await storeMembers(tx.db, evaluation.id, members, isNew ? null : at)
    await tx.db
      .update(viewEvaluations)
      .set({
        digest,
        filter: target.key.filter,
        retry_at: null,
        ...(entered.length > 0 && { entered_at: at }),
      })
      .where(eq(viewEvaluations.id, evaluation.id))
    for (const subscription of subscriptions) {
      const user = users.get(subscription.user_id) ?? null
      const key = user && evaluationKeyOf(user, view, subscription, gridScope)
      if (!user || !isSameKey(key, target.key)) await pause(tx.db, subscription.id)
      else if (isNew || subscription.evaluation_id !== evaluation.id)
        await begin(tx.db, subscription.id, evaluation.id, at)
      else if (entered.length > 0) await notify(tx, view, subscription, user.email, entered, at)
    }
    return entered.length
  })

/** The view as it was, which then cannot be changed before this transaction ends. */
async function lockView(db: Transaction, { view, key }: Target): Promise<ViewRow | null> {
  const [row] = await db.select().from(views).where(eq(views.id, view.id)).for('share')
  return row?.query === view.query && row.list === key.list ? row : null
}

/** @returns null if another process has stored other rows meanwhile */
async function lockEvaluation(
  db: Transaction,
  { view, key: { scope, language, filter }, known }: Target,
): Promise<EvaluationRow | null> {
  const isIt = and(
    eq(viewEvaluations.view_id, view.id),
    eq(viewEvaluations.scope, scope),
    eq(viewEvaluations.language, language),
  )
  await db.insert(viewEvaluations).values({ view_id: view.id, scope, language, filter }).onConflictDoNothing()
  const [row] = await db.select().from(viewEvaluations).where(isIt).for('update')
  return row && row.digest === (known?.digest ?? null) ? row : null
}

/** How long rows are known that have left again, so that notices can name them. */
export const keptDays = 30

/**
 * @param at null to begin anew, so that no row counts as entered
 * @returns the rows that have entered, in the order of the list
 */
async function storeMembers(
  db: Transaction,
  evaluation: number,
  members: readonly Member[],
  at: Date | null,
): Promise<Member[]> {
  if (at === null) await db.delete(viewRows).where(eq(viewRows.evaluation_id, evaluation))
  const keys = sql`${sql.param(members.map(({ key }) => key))}::text[]`
  const names = sql`${sql.param(members.map(({ name }) => name))}::text[]`
  const { rows: entered } = await db.execute<Member & Record<string, unknown>>(sql`
    with given as (
      select key, name, place from unnest(${keys}, ${names}) with ordinality as given (key, name, place)
    ), new as (
      select given.* from given
      left join ${viewRows} known on known.evaluation_id = ${evaluation} and known.row_key = given.key
      where known.is_in is not true
    ), stored as (
      insert into ${viewRows} (evaluation_id, row_key, name, is_in, entered_at)
      select ${evaluation}, key, name, true, ${at?.toISOString() ?? null}::timestamptz from new
      on conflict (evaluation_id, row_key)
        do update set name = excluded.name, is_in = true, entered_at = excluded.entered_at
    )
    select key, name from new order by place`)
  if (at === null) return []
  await db.execute(sql`
    update ${viewRows} set is_in = false
    where evaluation_id = ${evaluation} and is_in and not exists (select from unnest(${keys}) key where key = row_key)`)
  await db.execute(sql`
    delete from ${viewRows}
    where evaluation_id = ${evaluation} and not is_in
      and coalesce(entered_at, '-infinity') < ${at.toISOString()}::timestamptz - ${keptDays} * interval '1 day'`)
  return entered.map(({ key, name }) => ({ key, name }))
}

/** Makes a subscription follow an evaluation from now on, without notices of what is in it already. */
const begin = (db: Transaction, id: number, evaluation: number, at: Date) =>
  db
    .update(viewSubscriptions)
    .set({ evaluation_id: evaluation, seen_until: at, entered_at: null, mailed_until: at })
    .where(eq(viewSubscriptions.id, id))

/** Until the user may see the view again, which begins anew. */
export const pause = (db: Transaction, id: number) =>
  db
    .update(viewSubscriptions)
    .set({ evaluation_id: null, entered_at: null })
    .where(eq(viewSubscriptions.id, id))

async function notify(
  tx: AuditTransaction,
  view: ViewRow,
  subscription: Subscription,
  email: string,
  entered: readonly Member[],
  at: Date,
): Promise<void> {
  const { id, delivery, entered_at: before } = subscription
  await tx.db
    .update(viewSubscriptions)
    .set({
      entered_at: at,
      // What the user has acknowledged is not counted again.
      ...(before !== null && (await isAcknowledged(tx.db, id, before)) && { seen_until: before }),
    })
    .where(eq(viewSubscriptions.id, id))
  if (delivery === 'immediate') await tx.mail(email, describeEntered(view, entered), viewPath(view))
}

async function isAcknowledged(db: Transaction, subscription: number, since: Date): Promise<boolean> {
  const [row] = await db
    .select({ at: attentionHandling.acknowledged_at })
    .from(attentionHandling)
    .where(
      and(
        eq(attentionHandling.kind, 'view_entered'),
        eq(attentionHandling.subject_id, subscription),
        eq(attentionHandling.since, since),
      ),
    )
  return row !== undefined && row.at !== null
}
