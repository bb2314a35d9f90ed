import type { Transaction } from '@kustos/database/client'
import { incidents } from '@kustos/database/tables'
import { and, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { isAnyOf } from '../platform/is-any-of.ts'
import type { IncidentResolved, RoundNotifications } from './alerts/index.ts'
import { calculateDowntime, readGaps } from './incidents.ts'
import { isNotMuted } from './muting.ts'
import { minWebsOfOutage } from './outage.ts'
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
  const opened = await collectOpened(tx, now)
  const resolved =
    ended.length === 0
      ? []
      : await readIncidents(tx, and(isAnyOf(incidents.id, ended), isNotNull(incidents.alerted_at)))
  const gapsOf = await readGaps(
    tx,
    resolved.map(({ incident }) => incident),
  )
  return {
    ...opened,
    resolved: resolved.flatMap((row): IncidentResolved[] => {
      const { ended_at: endedAt } = row.incident
      if (endedAt === null) return []
      const downtime = calculateDowntime({ ...row.incident, gaps: gapsOf(row.incident) }, now)
      return [{ ...presentOpened(row), endedAt, downtime }]
    }),
  }
}

/** Marks the incidents that have not been announced as what they are as announced, and returns them. @param which all of them by default */
export async function collectOpened(
  tx: Transaction,
  now: Date,
  which: (incident: OpenIncident) => boolean = () => true,
): Promise<Pick<RoundNotifications, 'opened' | 'nodes'>> {
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
    nodes: await probesOfNodes(tx, opened),
  }
}

/**
 * Since the first of a node's webs fell: how many of its webs were probed in the rounds that are not evaluated, and how many
 * of them failed. Only of nodes with enough of them.
 */
async function probesOfNodes(
  tx: Transaction,
  opened: readonly OpenIncident[],
): Promise<RoundNotifications['nodes']> {
  const first = new Map<number, Date>()
  for (const [id, ofNode] of Map.groupBy(opened, ({ node }) => node?.id ?? null))
    if (id !== null && ofNode.length >= minWebsOfOutage)
      first.set(id, new Date(Math.min(...ofNode.map(({ incident }) => incident.started_at.getTime()))))
  if (first.size === 0) return new Map()
  const { rows } = await tx.execute<{ node_id: number; probed: number; failed: number }>(sql`
    select w.node_id, count(distinct w.id)::int as probed,
      (count(distinct w.id) filter (where s.outcome in ('down', 'unconfirmed')))::int as failed
    from unnest(
      ${sql.param([...first.keys()])}::int[],
      ${sql.param([...first.values()].map((at) => at.toISOString()))}::timestamptz[]
    ) as fell (node_id, at)
    join webs w on w.node_id = fell.node_id
    join statistics s on s.web_id = w.id and s.created_at >= fell.at
      and s.round_at in (select round_at from probe_rounds where judged_at is null)
    where s.outcome <> 'unknown'
    group by w.node_id`)
  return new Map(rows.map(({ node_id, probed, failed }) => [node_id, { probed, failed }]))
}
