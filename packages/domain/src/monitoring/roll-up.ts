import type { Transaction } from '@kustos/database/client'
import { incidents, probeRounds, rolledUpDays, uptimeDays, webs } from '@kustos/database/tables'
import { and, between, desc, eq, isNull, max, min, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { excludedColumns } from '../platform/excluded-columns.ts'
import { tryLockInTransaction } from '../platform/locks.ts'
import { type Day, dayOf, spanOf } from './day.ts'
import { overlapSeconds } from './downtime.ts'
import { type Downtimes, downtimesWithin } from './incidents.ts'
import { ensureUptimePartition, partitionDays } from './partitions.ts'
import { roundGraceMs } from './settings.ts'
import { addMoved, type DayCounts, dayCounts, noCounts } from './uptime.ts'

/** Per statement, which sorts some hundred thousand rows for their percentiles. */
const websPerStatement = 250

/**
 * Rolls up the statistics of past days into one row for each web and day. A run that finds another one at work ends, and so
 * does one whose lease another worker has taken over.
 * @returns the days; null if there is none to roll up, or another run is at work
 */
export async function rollUp(
  context: Context,
  signal?: AbortSignal,
): Promise<{ readonly days: readonly Day[] } | null> {
  const days = await daysToRollUp(context)
  for (const day of days) {
    if (!(await rollUpDay(context, day, signal))) return null
  }
  return days.length === 0 ? null : { days }
}

/**
 * The past days with statistics whose rounds are all evaluated. Domains that have moved away are known to be elsewhere up to the last
 * evaluation only, so the next one is waited for, unless monitoring has stopped.
 */
async function daysToRollUp({ db, now }: Context): Promise<readonly Day[]> {
  const today = dayOf(now())
  const over = (await partitionDays(db)).filter((day) => day < today)
  if (over.length === 0) return []
  const [done, [pending], [moved], [last]] = await Promise.all([
    db.select({ day: rolledUpDays.day }).from(rolledUpDays),
    db
      .select({ first: sql<string | null>`min(${probeRounds.round_at})` })
      .from(probeRounds)
      .where(isNull(probeRounds.judged_at)),
    db
      .select({ until: min(incidents.watched_until) })
      .from(incidents)
      .where(and(eq(incidents.kind, 'moved'), isNull(incidents.ended_at))),
    db
      .select({ seconds: probeRounds.interval_seconds })
      .from(probeRounds)
      .orderBy(desc(probeRounds.round_at))
      .limit(1),
  ])
  const known = new Set(done.map(({ day }) => day))
  const open = pending?.first == null ? Number.POSITIVE_INFINITY : Date.parse(pending.first)
  const knownUntil = moved?.until?.getTime() ?? Number.POSITIVE_INFINITY
  const waitMs = 2 * ((last?.seconds ?? 0) * 1000 + roundGraceMs)
  return over.filter((day) => {
    const { to } = spanOf(day)
    return !known.has(day) && to <= open && (to <= knownUntil || to + waitMs <= now().getTime())
  })
}

/** @returns whether it was rolled up to the end */
async function rollUpDay(context: Context, day: Day, signal?: AbortSignal): Promise<boolean> {
  const { db, now } = context
  const [last] = await db.select({ id: max(webs.id) }).from(webs)
  const withRollUpLock = (work: (tx: Transaction) => Promise<unknown>) =>
    db.transaction(async (tx) => {
      if (signal?.aborted || !(await tryLockInTransaction(tx, 'roll-up'))) return false
      await context.assertLease?.(tx)
      await work(tx)
      return true
    })
  if (!(await withRollUpLock((tx) => ensureUptimePartition(tx, day)))) return false
  for (let from = 1; from <= (last?.id ?? 0); from += websPerStatement)
    if (!(await withRollUpLock((tx) => rollUpWebs(tx, day, { from, to: from + websPerStatement - 1 }))))
      return false
  return withRollUpLock((tx) =>
    tx.insert(rolledUpDays).values({ day, rolled_up_at: now() }).onConflictDoNothing(),
  )
}

/** Both inclusive. */
interface IdRange {
  readonly from: number
  readonly to: number
}

async function rollUpWebs(tx: Transaction, day: Day, { from, to }: IdRange): Promise<void> {
  const span = spanOf(day)
  const { rows } = await tx.execute<{ web_id: number } & DayCounts & Record<string, unknown>>(sql`
    select s.web_id, ${dayCounts}
    from statistics s join probe_rounds r on r.round_at = s.round_at
    where s.web_id between ${from} and ${to} and s.round_at >= ${new Date(span.from).toISOString()}
      and s.round_at < ${new Date(span.to).toISOString()}
    group by s.web_id`)
  const down = await downtimesWithin(tx, span, between(incidents.web_id, from, to))
  const counts = new Map(rows.map(({ web_id, ...counted }) => [web_id, counted]))
  const kept = [...new Set([...counts.keys(), ...down.keys()])].map((web) => {
    const secondsOf = (which: keyof Downtimes) => overlapSeconds(down.get(web)?.[which] ?? [], span)
    return uptimeDay(web, day, addMoved(counts.get(web) ?? noCounts, secondsOf('moved')), {
      downtime: secondsOf('down'),
      planned: secondsOf('planned'),
    })
  })
  if (kept.length === 0) return
  await tx
    .insert(uptimeDays)
    .values(kept)
    .onConflictDoUpdate({
      target: [uptimeDays.web_id, uptimeDays.day],
      set: excludedColumns('downtime', 'planned', ...Object.keys(noCounts)),
    })
}

/** The row of a day. The downtimes are whole seconds within the day. */
export function uptimeDay(
  web: number,
  day: Day,
  counts: DayCounts,
  { downtime, planned = 0 }: { readonly downtime: number; readonly planned?: number },
): typeof uptimeDays.$inferInsert {
  const { from, to } = spanOf(day)
  return {
    ...counts,
    web_id: web,
    day,
    downtime,
    planned,
    // A minute of downtime counts as monitored, though its probe may belong to the day before.
    known: Math.min((to - from) / 1000, Math.max(counts.known, downtime)),
  }
}
