import { incidents, probeRounds, rolledUpDays, uptimeDays, webs } from '@kustos/database/tables'
import { between, isNull, max, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { type Day, dayOf, spanOf } from './day.ts'
import { secondsWithin } from './downtime.ts'
import { downtimesWithin } from './incidents.ts'
import { partitionDays } from './partitions.ts'
import { type DayCounts, dayCounts } from './uptime.ts'

/** Webs of one statement: some hundred thousand rows, which are sorted for their percentiles. */
const portion = 250

/**
 * Keeps what the days that are over have shown, web by web, each day once. It is safe to run twice and from two workers
 * at once, since both write the same.
 * @returns the days; null where there is none to roll up
 */
export async function rollUp(
  context: Context,
  signal?: AbortSignal,
): Promise<{ readonly days: readonly Day[] } | null> {
  const days = await daysToRollUp(context)
  for (const day of days) {
    await rollUpDay(context, day, signal)
    if (signal?.aborted) return null
  }
  return days.length === 0 ? null : { days }
}

/** The days with statistics that are over, with every round of theirs judged. */
async function daysToRollUp({ db, now }: Context): Promise<readonly Day[]> {
  const today = dayOf(now())
  const over = (await partitionDays(db)).filter((day) => day < today)
  if (over.length === 0) return []
  const [done, [pending]] = await Promise.all([
    db.select({ day: rolledUpDays.day }).from(rolledUpDays),
    db
      .select({ first: sql<string | null>`min(${probeRounds.round_at})` })
      .from(probeRounds)
      .where(isNull(probeRounds.judged_at)),
  ])
  const known = new Set(done.map(({ day }) => day))
  const open = pending?.first == null ? Number.POSITIVE_INFINITY : Date.parse(pending.first)
  return over.filter((day) => !known.has(day) && spanOf(day).to <= open)
}

async function rollUpDay({ db, now }: Context, day: Day, signal?: AbortSignal): Promise<void> {
  const span = spanOf(day)
  const [last] = await db.select({ id: max(webs.id) }).from(webs)
  for (let from = 1; from <= (last?.id ?? 0) && !signal?.aborted; from += portion) {
    const to = from + portion - 1
    const { rows } = await db.execute<{ web_id: number } & DayCounts & Record<string, unknown>>(sql`
      select s.web_id, ${dayCounts}
      from statistics s join probe_rounds r on r.round_at = s.round_at
      where s.web_id between ${from} and ${to} and s.round_at >= ${new Date(span.from).toISOString()}
        and s.round_at < ${new Date(span.to).toISOString()}
      group by s.web_id`)
    const down = await downtimesWithin(db, span, between(incidents.web_id, from, to))
    const counts = new Map(rows.map(({ web_id, ...counted }) => [web_id, counted]))
    const kept = [...new Set([...counts.keys(), ...down.keys()])].map((web) =>
      uptimeDay(web, day, counts.get(web), secondsWithin(down.get(web) ?? [], span)),
    )
    if (kept.length === 0) continue
    await db
      .insert(uptimeDays)
      .values(kept)
      .onConflictDoUpdate({ target: [uptimeDays.web_id, uptimeDays.day], set: excluded })
  }
  if (signal?.aborted) return
  await db.insert(rolledUpDays).values({ day, rolled_up_at: now() }).onConflictDoNothing()
}

const excluded = {
  downtime: sql`excluded.downtime`,
  known: sql`excluded.known`,
  checks: sql`excluded.checks`,
  failures: sql`excluded.failures`,
  response_ms: sql`excluded.response_ms`,
  response_p95_ms: sql`excluded.response_p95_ms`,
}

/** A day as it is kept. @param downtime in whole seconds, within the day */
export function uptimeDay(
  web: number,
  day: Day,
  counts: DayCounts | undefined,
  downtime: number,
): typeof uptimeDays.$inferInsert {
  const { from, to } = spanOf(day)
  return {
    web_id: web,
    day,
    downtime,
    // A minute of downtime was watched, though its probe may belong to the day before.
    known: Math.min((to - from) / 1000, Math.max(counts?.known ?? 0, downtime)),
    checks: counts?.checks ?? 0,
    failures: counts?.failures ?? 0,
    response_ms: counts?.response_ms ?? null,
    response_p95_ms: counts?.response_p95_ms ?? null,
  }
}
