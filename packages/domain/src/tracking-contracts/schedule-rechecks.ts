import {
  customers,
  inspections,
  trackingAudits,
  trackingExceptions,
  trackingJudgements,
  webs,
} from '@kustos/database/tables'
import { and, asc, eq, exists, gt, isNull, lte, ne, notExists, or, sql } from 'drizzle-orm'
import {
  enqueueInspections,
  type InspectionTools,
  insertInspections,
  isUnderWay,
} from '../inspections/index.ts'
import type { Context } from '../platform/context.ts'
import { isAnyOf } from '../platform/is-any-of.ts'
import { lockInTransaction } from '../platform/locks.ts'
import { maxRechecks } from './apply-drift.ts'
import { reconsiderWebs } from './reconsider.ts'

/** After which an audit that has left no result is requested again. */
const retryMs = 3_600_000
/** In one run, of which there is one a minute: audits take some seconds each. */
const maxRequested = 20
/** In one run. */
const maxReconsidered = 50

/**
 * Requests the audits that have to confirm differences, also those that an exception no longer allows. What is requested is stored with
 * it, so a worker that dies loses nothing.
 */
export async function scheduleRechecks(
  context: Context,
  tools: InspectionTools,
): Promise<{ readonly requested: number } | null> {
  const now = context.now()
  await reconsiderRunOut(context, now)
  const requested = await context.db.transaction(async (db) => {
    await lockInTransaction(db, 'audits')
    const due = await db
      .select({ id: webs.id, fqdn: webs.fqdn })
      .from(trackingJudgements)
      .innerJoin(webs, and(eq(webs.id, trackingJudgements.web_id), isNull(webs.deleted_at)))
      .where(
        and(
          lte(trackingJudgements.recheck_at, now),
          notExists(
            db
              .select({ id: inspections.id })
              .from(inspections)
              .where(and(eq(inspections.web_id, webs.id), eq(inspections.kind, 'tracking'), isUnderWay)),
          ),
        ),
      )
      .orderBy(asc(trackingJudgements.recheck_at))
      .limit(maxRequested)
    const inserted = await insertInspections(db, 'tracking', due, now, 'confirm_drift')
    const ids = inserted.flatMap(({ web_id }) => web_id ?? [])
    if (ids.length > 0)
      await db
        .update(trackingJudgements)
        .set({
          rechecks: sql`${trackingJudgements.rechecks} + 1`,
          recheck_at: sql`case when ${trackingJudgements.rechecks} + 1 < ${maxRechecks}
            then ${new Date(now.getTime() + retryMs).toISOString()}::timestamptz end`,
        })
        .where(isAnyOf(trackingJudgements.web_id, ids))
    return inserted
  })
  await enqueueInspections(tools, requested)
  return requested.length === 0 ? null : { requested: requested.length }
}

/** Judges webs again of which an exception has run out since they were judged: what it allowed counts as a difference again. */
async function reconsiderRunOut(context: Context, now: Date): Promise<void> {
  const { until, web_id, customer_id } = trackingExceptions
  await context.db.transaction(async (db) => {
    await lockInTransaction(db, 'audits')
    const runOut = db
      .select({ id: trackingExceptions.id })
      .from(trackingExceptions)
      .where(
        and(
          lte(until, now),
          gt(until, trackingJudgements.judged_at),
          or(eq(web_id, webs.id), eq(customer_id, customers.id)),
        ),
      )
    const judged = db
      .select({ id: trackingAudits.id })
      .from(trackingAudits)
      .where(and(eq(trackingAudits.web_id, webs.id), ne(trackingAudits.outcome, 'failed')))
    const due = await db
      .select({ id: webs.id })
      .from(trackingJudgements)
      .innerJoin(webs, and(eq(webs.id, trackingJudgements.web_id), isNull(webs.deleted_at)))
      .leftJoin(customers, eq(customers.code, webs.customer))
      .where(and(exists(runOut), exists(judged)))
      .orderBy(asc(trackingJudgements.judged_at))
      .limit(maxReconsidered)
    const ids = due.map(({ id }) => id)
    if (ids.length > 0) await reconsiderWebs({ db, now: context.now }, isAnyOf(webs.id, ids))
  })
}
