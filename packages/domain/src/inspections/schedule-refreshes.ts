import { webStatus } from '@kustos/contract/webs'
import { inspections, webs } from '@kustos/database/tables'
import { and, asc, count, eq, gte, isNull, not, notExists, or, sql } from 'drizzle-orm'
import { takeTurn } from '../alone.ts'
import type { Context } from '../context.ts'
import { isHalfMade } from '../deployment/index.ts'
import { dayOf, hourOf } from '../monitoring/index.ts'
import { type Asked, handOver, type InspectionTools } from './jobs.ts'

/** The night of Europe/Rome, in hours of the day; `to` is no part of it. */
const night = { from: 1, to: 5 }
/** Looks of which the night has room for the share of all webs, at one a minute: the last ones are left for what fails. */
const looks = 220

/** Webs that came within so long are new, in milliseconds. */
const newFor = 24 * 3_600_000

/**
 * Asks for the nightly refreshes, some with each look: one node after the other, so that no more than one is busy with
 * it. Those who look at the same time come one after the other, and no web is asked for twice in a night.
 *
 * By day it asks for new webs that nobody has looked at: without a domain status they are neither watched nor audited,
 * which is not to wait for the night.
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
    await takeTurn(db, 'refreshes')
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
      // One from before the night may still be under way.
      .onConflictDoNothing()
      .returning({ id: inspections.id, web_id: inspections.web_id })
    const names = new Map(due.map(({ id, fqdn }) => [id, fqdn]))
    return kept.map((row) => ({ ...row, kind: 'refresh', fqdn: names.get(row.web_id) ?? '' }))
  })
  await handOver(tools, handed)
  return handed.length === 0 ? null : { asked: handed.length }
}

/** Webs that staff added have no status either until Plesk tells it; those that are being made come once that is done. */
const isNew = (now: Date) =>
  and(
    or(eq(webs.status, webStatus.active), and(isNull(webs.status), not(isHalfMade))),
    isNull(webs.domain_status),
    gte(webs.created_at, new Date(now.getTime() - newFor)),
  )
