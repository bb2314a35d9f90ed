import type { Transaction } from '@kustos/database/client'
import { inspections, webFacts, webs } from '@kustos/database/tables'
import { and, asc, count, eq, gt, inArray, isNull, lt, notExists, or, sql } from 'drizzle-orm'
import { listedWebs } from '../monitoring/index.ts'
import type { Context } from '../platform/context.ts'
import { lockInTransaction } from '../platform/locks.ts'
import { type Asked, enqueueInspection, type InspectionTools } from './jobs.ts'

/** Each web is due again after a day. The first audits are spread over half a day, at one run of the schedule a minute. */
const daily = 24 * 3_600_000
const looks = 720
/** A web whose audit ended without a result, as when its worker died, is not due again at once. */
const again = 3_600_000

/**
 * Requests some of the tracking audits that are due, so that they stay spread over the day.
 * @param internalMarker the part of a host name that marks the operator's own; empty for none
 */
export async function scheduleAudits(
  context: Context,
  tools: InspectionTools,
  internalMarker: string,
): Promise<{ readonly asked: number } | null> {
  const now = context.now()
  const asked = await context.db.transaction(async (db): Promise<Asked[]> => {
    await lockInTransaction(db, 'audits')
    const [listed] = await db.select({ webs: count() }).from(webs).where(listedWebs(internalMarker))
    const due = await db
      .select({ id: webs.id, fqdn: webs.fqdn })
      .from(webs)
      .leftJoin(webFacts, and(eq(webFacts.web_id, webs.id), eq(webFacts.fact, 'tracking')))
      .where(
        and(
          listedWebs(internalMarker),
          notExists(ofLate(db, now)),
          or(isNull(webFacts.tried_at), lt(webFacts.tried_at, new Date(now.getTime() - daily))),
        ),
      )
      .orderBy(sql`${webFacts.tried_at} nulls first`, asc(webs.id))
      .limit(Math.ceil((listed?.webs ?? 0) / looks))
    if (due.length === 0) return []
    const kept = await db
      .insert(inspections)
      .values(due.map(({ id }) => ({ web_id: id, kind: 'tracking', created_at: now })))
      // A user may have requested one meanwhile.
      .onConflictDoNothing()
      .returning({ id: inspections.id, web_id: inspections.web_id })
    const names = new Map(due.map(({ id, fqdn }) => [id, fqdn]))
    return kept.map((row) => ({ ...row, kind: 'tracking', fqdn: names.get(row.web_id) ?? '' }))
  })
  await enqueueInspection(tools, asked)
  return asked.length === 0 ? null : { asked: asked.length }
}

/** The audits of a web that are waiting or running, or were requested lately. */
const ofLate = (db: Transaction, now: Date) =>
  db
    .select({ id: inspections.id })
    .from(inspections)
    .where(
      and(
        eq(inspections.web_id, webs.id),
        eq(inspections.kind, 'tracking'),
        or(
          inArray(inspections.state, ['waiting', 'running']),
          gt(inspections.created_at, new Date(now.getTime() - again)),
        ),
      ),
    )
