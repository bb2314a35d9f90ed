import { monitoringRoutes } from '@kustos/contract/monitoring'
import { can } from '@kustos/contract/permissions'
import type { Uptime, WebSummary } from '@kustos/contract/web-summary'
import { websRoutes } from '@kustos/contract/webs'
import { type SQL, sql } from 'drizzle-orm'
import { dayAfter, dayOf, downSince } from '../monitoring/index.ts'
import type { Context } from '../platform/context.ts'

export interface WebSummaries {
  /** In the order of their names; null if the acting user may not see webs. */
  readonly webs: WebSummary[] | null
  /** Of all of them together; null if the acting user may not see statistics. */
  readonly uptime: Uptime | null
}

/**
 * The active webs of something, as far as the acting user may see them.
 * @param which a condition on `webs w`
 */
export async function readWebSummaries(context: Context, which: SQL): Promise<WebSummaries> {
  const { actor } = context
  if (!can(actor, websRoutes.listWebs.access)) return { webs: null, uptime: null }
  const isActive = sql`${which} and w.deleted_at is null`
  const seesStatistics = can(actor, monitoringRoutes.listUptime.access)
  const [rows, daysOf] = await Promise.all([
    readRows(context, isActive, seesStatistics),
    seesStatistics ? readDays(context, isActive) : null,
  ])
  if (daysOf === null) return { webs: rows.map((row) => ({ ...row, uptime: null })), uptime: null }
  const daysOfWebs = rows.map(({ id }) => daysOf.get(id) ?? noDays)
  return {
    webs: rows.map((row, index) => ({ ...row, uptime: uptimeOf(daysOfWebs.slice(index, index + 1)) })),
    uptime: uptimeOf(daysOfWebs),
  }
}

type Row = Omit<WebSummary, 'uptime'> & Record<string, unknown>

/**
 * A web's audits are found by its id. Those of older releases have to be taken apart, which takes most of the time, so only if they
 * have a violation.
 */
async function readRows({ db }: Context, isActive: SQL, seesStatistics: boolean): Promise<Row[]> {
  const { rows } = await db.execute<Row>(sql`
    select w.id, w.fqdn, w.customer, n.name as node, w.framework_name, w.framework_version, w.status, w.domain_status,
      w.monitoring_web_active, ${iso(downSince('w'))} as down_since,
      down.reason as down_reason, down.reason_code as down_reason_code, down.reason_params as down_reason_params,
      ${iso('w.cert_from')} as cert_from,
      ${iso('w.cert_expiration')} as cert_expiration,
      early.before_consent
    from webs w
    left join nodes n on n.id = w.node_id
    left join incidents down
      on ${seesStatistics} and ${sql.raw(downSince('w'))} is not null and down.web_id = w.id and down.ended_at is null
    left join lateral (
      select coalesce(a.before_consent, case when a.visit::text like '%violation%' then (
        select coalesce(json_agg(distinct jsonb_build_object('topic', asked.topic, 'host', asked.host)), '[]')
        from json_to_recordset(a.visit -> 'asked') asked (phase text, verdict text, topic text, host text)
        where asked.phase = 'before' and asked.verdict = 'violation'
      ) else '[]' end) as before_consent
      from tracking_audits a where a.web_id = w.id and a.visit is not null order by a.id desc limit 1
    ) early on true
    where ${isActive}
    order by w.fqdn_ascii`)
  return rows
}

/** Seconds of the days that are rolled up, which yesterday is the last of. Planned downtime does not count. */
interface Days {
  readonly known_30: number
  readonly down_30: number
  readonly known_90: number
  readonly down_90: number
}

const noDays: Days = { known_30: 0, down_30: 0, known_90: 0, down_90: 0 }

async function readDays({ db, now }: Context, isActive: SQL): Promise<ReadonlyMap<number, Days>> {
  const today = dayOf(now())
  const isRecent = sql`filter (where day >= ${dayAfter(today, -30)})`
  const { rows } = await db.execute<Days & { web_id: number } & Record<string, unknown>>(sql`
    select web_id,
      coalesce(sum(known) ${isRecent}, 0)::int as known_30,
      coalesce(sum(least(downtime - planned, known)) ${isRecent}, 0)::int as down_30,
      sum(known)::int as known_90, sum(least(downtime - planned, known))::int as down_90
    from uptime_days
    where web_id = any (array(select w.id from webs w where ${isActive}))
      and day >= ${dayAfter(today, -90)} and day < ${today}
    group by web_id`)
  return new Map(rows.map(({ web_id, ...days }) => [web_id, days]))
}

/** As the contract's timestamps. */
const iso = (time: string) => sql.raw(`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)

function uptimeOf(all: readonly Days[]): Uptime {
  const percentOf = (known: keyof Days, down: keyof Days): number | null => {
    const total = all.reduce((sum, days) => sum + days[known], 0)
    const lost = all.reduce((sum, days) => sum + days[down], 0)
    return total === 0 ? null : (100 * (total - lost)) / total
  }
  return { days_30: percentOf('known_30', 'down_30'), days_90: percentOf('known_90', 'down_90') }
}
