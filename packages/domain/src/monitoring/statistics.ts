import { message } from '@kustos/contract/messages'
import { isUp, type Statistic } from '@kustos/contract/monitoring'
import { statistics, webs } from '@kustos/database/tables'
import { and, desc, eq, getTableColumns, gte, lt, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { storedMessage } from '../platform/stored-message.ts'
import { visibleWebs } from '../platform/visible-webs.ts'
import { spanOf } from './day.ts'
import { partitionDays, time } from './partitions.ts'

export const defaultLimit = 1_000

const minuteMs = 60_000
/** A probe begins this long after its round at most: in it or soon after. The largest PROBE_INTERVAL is an hour. */
export const maxProbeDelayMs = 2 * 60 * minuteMs

/**
 * Probes, newest first, without those of deleted webs unless the user may restore them. A page never ends between probes of the same moment, so
 * that the next one misses none.
 */
export async function listStatistics(
  context: Pick<Context, 'db' | 'now' | 'actor'>,
  query: {
    readonly limit?: number | undefined
    readonly before?: string | undefined
    readonly web?: number | undefined
  },
): Promise<Statistic[]> {
  const { db, now } = context
  const { limit = defaultLimit, web } = query
  const [oldestDay] = await partitionDays(db)
  if (oldestDay === undefined) return []
  const oldest = spanOf(oldestDay).from
  const soon = now().getTime() + minuteMs
  const before = query.before === undefined ? soon : Math.min(soon, Date.parse(query.before))
  // The index (BRIN) makes a short period cheap, so the period grows until the page is full.
  for (let reachMs = 4 * minuteMs; ; reachMs *= 8) {
    const since = Math.max(before - reachMs, oldest)
    const rows = await readStatistics(
      context,
      { since: new Date(since), before: new Date(before), web },
      limit + 1,
    )
    if (rows.length > limit || since === oldest) return wholeMoments(rows, limit).map(present)
  }
}

type Row = Awaited<ReturnType<typeof readStatistics>>[number]

function readStatistics(
  context: Pick<Context, 'db' | 'actor'>,
  { since, before, web }: { since: Date; before: Date; web: number | undefined },
  limit: number,
) {
  // The partitions of other days are not read.
  const firstRound = since.getTime() - maxProbeDelayMs
  const probes = context.db
    .$with('probes', getTableColumns(statistics))
    .as(
      sql`select * from statistics_between(${time(firstRound)}, ${before.toISOString()}, ${since.toISOString()})`,
    )
  return context.db
    .with(probes)
    .select({
      web: { id: webs.id, fqdn: webs.fqdn },
      status: probes.status,
      outcome: probes.outcome,
      created_at: probes.created_at,
      response_ms: probes.response_ms,
      reason: probes.reason,
      reason_code: probes.reason_code,
      reason_params: probes.reason_params,
    })
    .from(probes)
    .innerJoin(webs, eq(webs.id, probes.web_id))
    .where(
      and(
        visibleWebs(context),
        gte(probes.created_at, since),
        lt(probes.created_at, before),
        web === undefined ? undefined : eq(probes.web_id, web),
      ),
    )
    .orderBy(desc(probes.created_at), desc(probes.web_id))
    .limit(limit)
}

function wholeMoments(rows: readonly Row[], limit: number): readonly Row[] {
  const page = rows.slice(0, limit)
  const cut = rows[limit]?.created_at.getTime()
  const whole = page.filter((row) => row.created_at.getTime() !== cut)
  // A page with a single moment cannot be shortened.
  return whole.length === 0 ? page : whole
}

const present = ({ web, status, outcome, created_at, response_ms, ...stored }: Row): Statistic => ({
  web,
  status,
  created_at: created_at.toISOString(),
  response_time_ms: response_ms,
  // A response that counts as a failure by default has no other reason than its status.
  ...(stored.reason !== null || status === null || outcome === 'up' || isUp(status)
    ? stored
    : storedMessage('reason', message('status_down', { status }))),
})
