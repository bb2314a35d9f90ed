import { webStatus } from '@kustos/contract/webs'
import { inspections, webs } from '@kustos/database/tables'
import { and, asc, count, eq, gte, isNull, not, notExists, or, sql } from 'drizzle-orm'
import { isProvisioning } from '../deployment/index.ts'
import { dayOf, hourOf } from '../monitoring/index.ts'
import type { Context } from '../platform/context.ts'
import { lockInTransaction } from '../platform/locks.ts'
import { type Asked, enqueueInspection, type InspectionTools } from './jobs.ts'

/** Hours of the day in Europe/Rome; `to` is exclusive. */
const night = { from: 1, to: 5 }
/** All webs are due within so many runs of the schedule, at one a minute. The rest of the night is left for failures. */
const looks = 220

/** How long a web counts as new. */
const newFor = 24 * 3_600_000

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
): Promise<{ readonly asked: number } | null> {
  const now = context.now()
  const today = dayOf(now)
  const nightfall = hourOf(today, night.from)
  const isNight = now.getTime() >= nightfall && now.getTime() < hourOf(today, night.to)
  const begin = isNight ? nightfall : now.getTime() - newFor
  const handed = await context.db.transaction(async (db): Promise<Asked[]> => {
    await lockInTransaction(db, 'refreshes')
    const [living] = await db.select({ webs: count() }).from(webs).where(isNull(webs.deleted_at))
    const asked = db
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
      .where(and(isNull(webs.deleted_at), notExists(asked), isNight ? undefined : isNew(now)))
      .orderBy(sql`${webs.node_id} nulls last`, asc(webs.id))
      .limit(Math.ceil((living?.webs ?? 0) / looks))
    if (due.length === 0) return []
    const kept = await db
      .insert(inspections)
      .values(due.map(({ id }) => ({ web_id: id, kind: 'refresh', created_at: now })))
      // One from before the night may still be running.
      .onConflictDoNothing()
      .returning({ id: inspections.id, web_id: inspections.web_id })
    const names = new Map(due.map(({ id, fqdn }) => [id, fqdn]))
    return kept.map((row) => ({ ...row, kind: 'refresh', fqdn: names.get(row.web_id) ?? '' }))
  })
  await enqueueInspection(tools, handed)
  return handed.length === 0 ? null : { asked: handed.length }
}

/** Webs that users have added have no status until Plesk reports it, like those that are still being provisioned. */
const isNew = (now: Date) =>
  and(
    or(eq(webs.status, webStatus.active), and(isNull(webs.status), not(isProvisioning))),
    isNull(webs.domain_status),
    gte(webs.created_at, new Date(now.getTime() - newFor)),
  )
