import { inspections, trackingJudgements, webs } from '@kustos/database/tables'
import { and, asc, eq, isNull, lte, notExists, sql } from 'drizzle-orm'
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

/** After which an audit that has left no result is requested again. */
const retryMs = 3_600_000
/** In one run, of which there is one a minute: audits take some seconds each. */
const maxRequested = 20

/** Requests the audits that have to confirm differences. What is requested is stored with it, so a worker that dies loses nothing. */
export async function scheduleRechecks(
  context: Context,
  tools: InspectionTools,
): Promise<{ readonly requested: number } | null> {
  const now = context.now()
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
