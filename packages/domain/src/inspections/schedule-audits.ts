import type { Transaction } from '@kustos/database/client'
import { inspections, webFacts, webs } from '@kustos/database/tables'
import { and, asc, count, eq, gt, inArray, isNull, lt, notExists, or, sql } from 'drizzle-orm'
import { listedWebs } from '../monitoring/index.ts'
import type { Context } from '../platform/context.ts'
import { lockInTransaction } from '../platform/locks.ts'
import { insertScheduled } from './insert-scheduled.ts'
import { enqueueInspections, type InspectionTools } from './jobs.ts'

const auditIntervalMs = 24 * 3_600_000
/** The schedule runs once a minute; the first audits are spread over half a day. */
const spreadRuns = 720
/** After an audit that ended without a result, as when its worker died. */
const retryIntervalMs = 3_600_000

/**
 * Requests some of the tracking audits that are due, so that they stay spread over the day.
 * @param internalMarker the part of a host name that marks the operator's own; empty for none
 */
export async function scheduleAudits(
  context: Context,
  tools: InspectionTools,
  internalMarker: string,
): Promise<{ readonly requested: number } | null> {
  const now = context.now()
  const requested = await context.db.transaction(async (db) => {
    await lockInTransaction(db, 'audits')
    const [listed] = await db.select({ webs: count() }).from(webs).where(listedWebs(internalMarker))
    const due = await db
      .select({ id: webs.id, fqdn: webs.fqdn })
      .from(webs)
      .leftJoin(webFacts, and(eq(webFacts.web_id, webs.id), eq(webFacts.fact, 'tracking')))
      .where(
        and(
          listedWebs(internalMarker),
          notExists(recentAudits(db, now)),
          or(isNull(webFacts.tried_at), lt(webFacts.tried_at, new Date(now.getTime() - auditIntervalMs))),
        ),
      )
      .orderBy(sql`${webFacts.tried_at} nulls first`, asc(webs.id))
      .limit(Math.ceil((listed?.webs ?? 0) / spreadRuns))
    return await insertScheduled(db, 'tracking', due, now)
  })
  await enqueueInspections(tools, requested)
  return requested.length === 0 ? null : { requested: requested.length }
}

/** The audits of a web that are waiting or running, or were requested recently. */
const recentAudits = (db: Transaction, now: Date) =>
  db
    .select({ id: inspections.id })
    .from(inspections)
    .where(
      and(
        eq(inspections.web_id, webs.id),
        eq(inspections.kind, 'tracking'),
        or(
          inArray(inspections.state, ['waiting', 'running']),
          gt(inspections.created_at, new Date(now.getTime() - retryIntervalMs)),
        ),
      ),
    )
