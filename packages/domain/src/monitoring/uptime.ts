import type { UptimeDay } from '@kustos/contract/monitoring'
import type { Transaction } from '@kustos/database/client'
import { incidents, uptimeDays, webs } from '@kustos/database/tables'
import { and, eq, gte, lte, min, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { visibleWebs } from '../platform/visible-webs.ts'
import { type Day, dayAfter, dayOf, daysFrom, type Span, spanOf } from './day.ts'
import { floorToSecondMs, overlapSeconds } from './downtime.ts'
import { type Downtimes, downtimesWithin } from './incidents.ts'
import { rawDays, time } from './partitions.ts'

export interface DayCounts {
  /** Monitored seconds. */
  readonly known: number
  readonly checks: number
  readonly failures: number
  readonly degraded: number
  readonly response_ms: number | null
  readonly response_p95_ms: number | null
}

/**
 * A web's days since its first probe. Those that are not rolled up yet are computed from its probes.
 * @throws DomainError not-found, also for deleted webs unless the user may restore them
 */
export async function listUptime(
  context: Pick<Context, 'db' | 'now' | 'actor'>,
  { web, begin, end }: { readonly web: number; readonly begin: Day; readonly end: Day },
): Promise<UptimeDay[]> {
  const { db, now } = context
  const [found, kept, first] = await Promise.all([
    db
      .select({ id: webs.id })
      .from(webs)
      .where(and(eq(webs.id, web), visibleWebs(context))),
    db
      .select()
      .from(uptimeDays)
      .where(and(eq(uptimeDays.web_id, web), gte(uptimeDays.day, begin), lte(uptimeDays.day, end))),
    db
      .select({ day: min(uptimeDays.day) })
      .from(uptimeDays)
      .where(eq(uptimeDays.web_id, web)),
  ])
  if (found.length === 0) throw notFound('web_not_found', { id: web })
  const today = dayOf(now())
  const last = end < today ? end : today
  const rolledUp = new Map(kept.map((row) => [row.day, row]))
  const open = daysFrom(begin > dayAfter(today, -rawDays) ? begin : dayAfter(today, -rawDays), last).filter(
    (day) => !rolledUp.has(day),
  )
  const counted = await countDays(db, web, open)
  const { down, planned, moved } = await downtimes(db, web, open)
  const firstDay = [first[0]?.day, ...counted.keys()].filter((day) => day != null).sort()[0]
  if (firstDay === undefined) return []
  return daysFrom(begin > firstDay ? begin : firstDay, last).map((day) => {
    const row = rolledUp.get(day)
    const { from, to } = spanOf(day)
    const passed = { from, to: Math.min(to, floorToSecondMs(now())) }
    const downtime = row?.downtime ?? overlapSeconds(down, passed)
    const lost = { downtime, planned: row?.planned ?? overlapSeconds(planned, passed) }
    const counts = row ?? addMoved(counted.get(day) ?? noCounts, overlapSeconds(moved, passed))
    return present(day, counts, lost, passed)
  })
}

export const noCounts: DayCounts = {
  known: 0,
  checks: 0,
  failures: 0,
  degraded: 0,
  response_ms: null,
  response_p95_ms: null,
}

/**
 * Adds the time in which the domain of a web had moved away to its monitored time: the web is not probed then. Without it, the
 * downtime would count against the probes of the rest of the day.
 */
export const addMoved = (counts: DayCounts, seconds: number): DayCounts => ({
  ...counts,
  known: counts.known + seconds,
})

/** In whole seconds. */
interface Lost {
  readonly downtime: number
  /** Part of it. */
  readonly planned: number
}

/** @param span of the day, as far as it has passed */
function present(day: Day, counts: DayCounts, lost: Lost, { from, to }: Span): UptimeDay {
  const passed = (to - from) / 1000
  const known = Math.min(counts.known, passed)
  return {
    date: day,
    ...lost,
    checks: counts.checks,
    failures: counts.failures,
    degraded: counts.degraded,
    uptime: uptimeOf(known, lost, counts),
    response_time_ms: counts.response_ms,
    response_time_p95_ms: counts.response_p95_ms,
    unknown: passed - known,
  }
}

/**
 * In percent; 0 if every check of the day failed and nothing was planned, even if seconds around a gap are no downtime. Days that were imported
 * from the former system have no checks.
 */
function uptimeOf(
  known: number,
  { downtime, planned }: Lost,
  { checks, failures }: DayCounts,
): number | null {
  if (known === 0) return null
  if (checks > 0 && failures === checks && planned === 0) return 0
  return (100 * (known - Math.min(downtime - planned, known))) / known
}

/** The columns of `DayCounts`, over statistics `s` joined with their rounds `r`. */
export const dayCounts = sql`
  coalesce(sum(r.interval_seconds) filter (where s.outcome <> 'unknown'), 0)::int as known,
  (count(*) filter (where s.outcome <> 'unknown'))::int as checks,
  (count(*) filter (where s.outcome = 'down'))::int as failures,
  (count(*) filter (where s.outcome = 'degraded'))::int as degraded,
  (percentile_disc(0.5) within group (order by s.response_ms) filter (where s.outcome in ('up', 'degraded')))::int
    as response_ms,
  (percentile_disc(0.95) within group (order by s.response_ms) filter (where s.outcome in ('up', 'degraded')))::int
    as response_p95_ms`

async function countDays(
  db: Transaction,
  web: number,
  days: readonly Day[],
): Promise<ReadonlyMap<Day, DayCounts>> {
  const span = spanOver(days)
  if (span === null) return new Map()
  const { rows } = await db.execute<{ day: Day } & DayCounts & Record<string, unknown>>(sql`
    select (s.round_at at time zone 'Europe/Rome')::date::text as day, ${dayCounts}
    from statistics_between(${time(span.from)}, ${time(span.to)}) s
    join probe_rounds r on r.round_at = s.round_at
    where s.web_id = ${web}
    group by 1`)
  return new Map(rows.map(({ day, ...counts }) => [day, counts]))
}

async function downtimes(db: Transaction, web: number, days: readonly Day[]) {
  const span = spanOver(days)
  const none: Downtimes = { down: [], planned: [], moved: [] }
  if (span === null) return none
  return (await downtimesWithin(db, span, eq(incidents.web_id, web))).get(web) ?? none
}

function spanOver(days: readonly Day[]): Span | null {
  const [first, last] = [days.at(0), days.at(-1)]
  return first === undefined || last === undefined ? null : { from: spanOf(first).from, to: spanOf(last).to }
}
