import { webStatus } from '@kustos/contract/webs'
import { inspections, webs } from '@kustos/database/tables'
import { and, asc, count, eq, gte, isNull, not, notExists, or, sql } from 'drizzle-orm'
import { isProvisioning } from '../deployment/index.ts'
import { dayOf, hourOf } from '../monitoring/index.ts'
import type { Context } from '../platform/context.ts'
import { lockInTransaction } from '../platform/locks.ts'
import { insertScheduled } from './insert-scheduled.ts'
import { enqueueInspections, type InspectionTools } from './jobs.ts'

/** Hours of the day in Europe/Rome; `to` is exclusive. */
const night = { from: 1, to: 5 }
/** The schedule runs once a minute; the rest of the night is left for failures. */
const spreadRuns = 220
/** How long a web counts as new. */
const newWebMs = 24 * 3_600_000

/**
 * Requests some of the nightly refreshes, node by node, so that only one node is busy with them at a time. No web is
 * refreshed twice in a night.
 *
 * During the day it requests refreshes of new webs, which are neither monitored nor audited before their domain status is
 * known.
 */
export async function scheduleRefreshes(
  context: Context,
  tools: InspectionTools,
): Promise<{ readonly requested: number } | null> {
  const now = context.now()
  const today = dayOf(now)
  const nightfall = hourOf(today, night.from)
  const isNight = now.getTime() >= nightfall && now.getTime() < hourOf(today, night.to)
  const begin = isNight ? nightfall : now.getTime() - newWebMs
  const requested = await context.db.transaction(async (db) => {
    await lockInTransaction(db, 'refreshes')
    const [active] = await db.select({ webs: count() }).from(webs).where(isNull(webs.deleted_at))
    const refreshed = db
      .select({ id: inspections.id })
      .from(inspections)
      .where(
        and(
          eq(inspections.web_id, webs.id),
          eq(inspections.kind, 'refresh'),
          gte(inspections.created_at, new Date(begin)),
        ),
      )
    const due = await db
      .select({ id: webs.id, fqdn: webs.fqdn })
      .from(webs)
      .where(and(isNull(webs.deleted_at), notExists(refreshed), isNight ? undefined : isNew(now)))
      .orderBy(sql`${webs.node_id} nulls last`, asc(webs.id))
      .limit(Math.ceil((active?.webs ?? 0) / spreadRuns))
    return await insertScheduled(db, 'refresh', due, now)
  })
  await enqueueInspections(tools, requested)
  return requested.length === 0 ? null : { requested: requested.length }
}

/** Webs that users have added have no status until Plesk reports it, like those that are still being provisioned. */
const isNew = (now: Date) =>
  and(
    or(eq(webs.status, webStatus.active), and(isNull(webs.status), not(isProvisioning))),
    isNull(webs.domain_status),
    gte(webs.created_at, new Date(now.getTime() - newWebMs)),
  )
