import type { Transaction } from '@kustos/database/client'
import { incidents } from '@kustos/database/tables'
import { and, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { isAnyOf } from '../platform/is-any-of.ts'
import type { IncidentResolved, RoundNotifications } from './alerts/index.ts'
import { calculateDowntime, readGaps } from './incidents.ts'
import { isNotMuted } from './muting.ts'
import { hostOf, minWebsOfOutage } from './outage.ts'
import { type OpenIncident, presentOpened, readIncidents } from './read-incidents.ts'

/**
 * Returns what to send after a round: incidents that have not been announced, and the end of those that have. A web is left
 * out while a deployment of it runs, until the first probe that fails after its end, and while it is in maintenance.
 * @param ended ids of the incidents that the round has ended
 */
export async function collectNotifications(
  tx: Transaction,
  ended: readonly number[],
  now: Date,
): Promise<RoundNotifications> {
  const { opened, hosts } = await collectOpened(tx, now)
  const resolved =
    ended.length === 0
      ? []
      : await readIncidents(tx, and(isAnyOf(incidents.id, ended), isNotNull(incidents.alerted_at)))
  const gapsOf = await readGaps(
    tx,
    resolved.map(({ incident }) => incident),
  )
  return {
    opened,
    hosts,
    resolved: resolved.flatMap((row): IncidentResolved[] => {
      const { ended_at: endedAt } = row.incident
      if (endedAt === null) return []
      const gaps = gapsOf(row.incident)
      const downtime = calculateDowntime({ ...row.incident, gaps }, now)
      const answered = gaps.filter(({ has_answered: hasAnswered }) => hasAnswered)
      const unmonitored = calculateDowntime({ ...row.incident, gaps: answered }, now) - downtime
      return [{ ...presentOpened(row), endedAt, downtime, unmonitored }]
    }),
  }
}

/**
 * Marks the incidents that have not been announced as what they are as announced, and returns them.
 * @param which all of them by default
 * @param known what was announced of the same outages a moment ago: how many webs of each host, and since when
 * @returns also how many are left
 */
export async function collectOpened(
  tx: Transaction,
  now: Date,
  which: (incident: OpenIncident) => boolean = () => true,
  known: Known = { since: now, webs: new Map() },
): Promise<Pick<RoundNotifications, 'opened' | 'hosts'> & { readonly left: number }> {
  const unannounced = await readIncidents(
    tx,
    and(
      isNull(incidents.ended_at),
      or(isNull(incidents.alerted_at), isNotNull(incidents.alerted_kind)),
      isNotMuted(tx, now),
    ),
  )
  const opened = unannounced.filter(which)
  const ids = opened.map(({ incident }) => incident.id)
  if (ids.length > 0)
    await tx.update(incidents).set({ alerted_at: now, alerted_kind: null }).where(isAnyOf(incidents.id, ids))
  const isAgain = ({ incident }: OpenIncident) => incident.alerted_at !== null
  return {
    opened: opened.map((row) => ({ ...presentOpened(row), isAgain: isAgain(row) })),
    hosts: await probesOfHosts(tx, opened, known),
    left: unannounced.length - opened.length,
  }
}

interface Known {
  readonly since: Date
  readonly webs: ReadonlyMap<string | null, number>
}

/**
 * Since the first of a host's webs fell: how many of its webs were probed in the rounds that are not evaluated, and how many
 * of them failed. Only of hosts with enough of them.
 */
async function probesOfHosts(
  tx: Transaction,
  opened: readonly OpenIncident[],
  { since, webs: announced }: Known,
): Promise<RoundNotifications['hosts']> {
  const first = new Map<string, Date>()
  for (const [host, ofHost] of Map.groupBy(opened, (one) => one.host)) {
    const before = announced.get(host) ?? 0
    const starts = ofHost.map(({ incident }) => incident.started_at.getTime())
    if (host !== null && ofHost.length + before >= minWebsOfOutage)
      first.set(host, new Date(Math.min(...starts, ...(before > 0 ? [since.getTime()] : []))))
  }
  if (first.size === 0) return new Map()
  const { rows } = await tx.execute<{ host: string; probed: number; failed: number }>(sql`
    select fell.host, count(distinct w.id)::int as probed,
      (count(distinct w.id) filter (where s.outcome in ('down', 'unconfirmed')))::int as failed
    from unnest(
      ${sql.param([...first.keys()])}::text[],
      ${sql.param([...first.values()].map((at) => at.toISOString()))}::timestamptz[]
    ) as fell (host, at)
    join nodes n on ${hostOf('n')} = fell.host
    join webs w on w.node_id = n.id
    join statistics s on s.web_id = w.id and s.created_at >= fell.at
      and s.round_at in (select round_at from probe_rounds where judged_at is null)
    where s.outcome <> 'unknown'
    group by fell.host`)
  return new Map(
    rows.map(({ host, probed, failed }) => [host, { probed, failed, announced: announced.get(host) ?? 0 }]),
  )
}
