import { viewEvaluations, viewSubscriptions } from '@kustos/database/tables'
import { eq, notExists, sql } from 'drizzle-orm'
import type { MonitoringSettings } from '../monitoring/index.ts'
import { withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { toError } from '../platform/errors.ts'
import { readWithoutConsent } from '../third-parties/index.ts'
import { applyEvaluation, pause, type Target } from './apply-evaluation.ts'
import { mailDigests } from './daily-mails.ts'
import { type EvaluationLimits, evaluateQueries } from './evaluate-queries.ts'
import type { GridScope } from './grids.ts'
import { readRows } from './rows.ts'
import { evaluationKeyOf, readSubscribers } from './subscribers.ts'

/** A filter that took too long, or too much memory, is tried again after this time, or once it has changed. */
const retryMs = 3_600_000

export interface NotificationReport {
  /** The number of evaluated views. */
  readonly checked: number
  /** The number of rows that entered a view. */
  readonly entries: number
  /** The number of views whose filters took too long, or too much memory. */
  readonly failed: number
}

/**
 * Determines which rows are in the views that somebody follows, and notifies the followers of those that have entered since
 * the last time. Users who see the same rows share an evaluation, and all views of a list share its rows.
 * @returns null if nobody follows a view
 * @throws the error of a list whose rows cannot be read, after the views of all other lists
 */
export async function notifySubscribers(
  context: Context,
  settings: MonitoringSettings,
  signal: AbortSignal,
  limits: EvaluationLimits = { selectionMs: 5_000 },
): Promise<NotificationReport | null> {
  const gridScope = { internalMarker: settings.internalMarker, now: context.now() }
  const groups = await groupSubscriptions(context, gridScope)
  let report = { checked: 0, entries: 0, failed: 0 }
  const errors: Error[] = []
  for (const group of groups) {
    try {
      const { checked, entries, failed } = await evaluateGroup(context, group, {
        settings,
        gridScope,
        signal,
        limits,
      })
      report = {
        checked: report.checked + checked,
        entries: report.entries + entries,
        failed: report.failed + failed,
      }
    } catch (error) {
      signal.throwIfAborted()
      errors.push(toError(error))
    }
  }
  await deleteUnused(context)
  await mailDigests(context, gridScope)
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors)
  return report.checked === 0 ? null : report
}

/** Views of one list whose subscribers see the same rows of it. */
interface Group {
  readonly actor: Context['actor']
  readonly targets: readonly [Target, ...Target[]]
}

/** Pauses the subscriptions of those who may no longer see the view. */
async function groupSubscriptions(context: Context, gridScope: GridScope): Promise<Group[]> {
  const evaluations = await context.db.select().from(viewEvaluations)
  const targets = new Map<string, Target & { readonly actor: Context['actor'] }>()
  for (const { subscription, view, actor } of await readSubscribers(context.db)) {
    const key = actor && evaluationKeyOf(actor, view, subscription, gridScope)
    if (!key) {
      if (subscription.evaluation_id !== null)
        await inTransaction(context, (tx) => pause(tx.db, subscription.id))
      continue
    }
    const name = JSON.stringify([view.id, key.scope, key.language])
    const known = evaluations.find(
      (row) => row.view_id === view.id && row.scope === key.scope && row.language === key.language,
    )
    const same = targets.get(name)
    targets.set(name, {
      ...(same ?? { view, key, known, actor }),
      subscriptions: [...(same?.subscriptions ?? []), subscription],
    })
  }
  const due = [...targets.values()].filter(
    ({ known, key }) =>
      known?.retry_at == null || known.filter !== key.filter || known.retry_at <= context.now(),
  )
  return [...Map.groupBy(due, ({ key }) => JSON.stringify([key.list, key.scope])).values()].flatMap(
    ([first, ...others]) => (first ? [{ actor: first.actor, targets: [first, ...others] as const }] : []),
  )
}

interface Run {
  readonly settings: MonitoringSettings
  readonly gridScope: GridScope
  readonly signal: AbortSignal
  readonly limits: EvaluationLimits
}

async function evaluateGroup(
  context: Context,
  { actor, targets }: Group,
  { settings, gridScope, signal, limits }: Run,
): Promise<NotificationReport> {
  const { list, scope } = targets[0].key
  const queries = targets.map(({ view, key, known }) => ({
    query: view.query,
    language: key.language || 'en',
    digest: known?.filter === key.filter ? known.digest : null,
  }))
  const withoutConsent = list === 'tracking' ? await readWithoutConsent(context.db) : undefined
  const results = await evaluateQueries(
    { ...gridScope, list, queries, ...(withoutConsent && { withoutConsent }) },
    (take) => readRows({ ...context, actor }, list, scope, settings, take),
    limits,
    signal,
  )
  let entries = 0
  for (const [index, target] of targets.entries()) {
    const result = results[index]
    if (!result) await postpone(context, target)
    else if (result.members !== null || !areFollowing(target))
      entries += await applyEvaluation(context, gridScope, target, result)
  }
  return { checked: targets.length, entries, failed: results.filter((result) => result === null).length }
}

const areFollowing = ({ known, subscriptions }: Target) =>
  subscriptions.every(({ evaluation_id }) => evaluation_id === known?.id)

/**
 * Tries the filter again later. Its known rows are kept, so that rows that enter meanwhile are announced then. If none are known, it
 * begins anew.
 */
const postpone = (
  context: Context,
  { view, key: { scope, language, filter }, known, subscriptions }: Target,
) =>
  inTransaction(context, async ({ db, now }) => {
    const retry_at = new Date(now().getTime() + retryMs)
    if (known?.filter === filter && known.digest !== null) {
      await db.update(viewEvaluations).set({ retry_at }).where(eq(viewEvaluations.id, known.id))
      return
    }
    const failed = { filter, digest: null, retry_at }
    const [row] = await db
      .insert(viewEvaluations)
      .values({ view_id: view.id, scope, language, ...failed })
      .onConflictDoUpdate({
        target: [viewEvaluations.view_id, viewEvaluations.scope, viewEvaluations.language],
        set: failed,
      })
      .returning({ id: viewEvaluations.id })
    for (const { id } of subscriptions)
      await db
        .update(viewSubscriptions)
        .set({ evaluation_id: row?.id ?? null, entered_at: null })
        .where(eq(viewSubscriptions.id, id))
  })

/** Those whose last subscriber has gone, or sees other rows now. */
const deleteUnused = (context: Context) =>
  inTransaction(context, ({ db }) =>
    db
      .delete(viewEvaluations)
      .where(
        notExists(
          db
            .select({ one: sql`1` })
            .from(viewSubscriptions)
            .where(eq(viewSubscriptions.evaluation_id, viewEvaluations.id)),
        ),
      ),
  )

const inTransaction = (
  context: Context,
  work: (tx: Parameters<Parameters<typeof withAudit>[1]>[0]) => Promise<unknown>,
) =>
  withAudit(context, async (tx) => {
    tx.skipAudit()
    await work(tx)
  })
