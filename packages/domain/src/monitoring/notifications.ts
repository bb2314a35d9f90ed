import type { Transaction } from '@kustos/database/client'
import { incidents } from '@kustos/database/tables'
import { and, isNotNull, isNull, sql } from 'drizzle-orm'
import { isAnyOf } from '../platform/is-any-of.ts'
import type { IncidentResolved, RoundNotifications } from './alerts/index.ts'
import { calculateDowntime, readGaps } from './incidents.ts'
import { isNotMuted } from './muting.ts'
import { type OpenIncident, presentOpened, readIncidents } from './read-incidents.ts'
import type { Round } from './round.ts'

/**
 * Returns what to send after a round: incidents that have not been announced, and the end of those that have. A web is left
 * out while a deployment of it runs, until the first probe that fails after its end.
 * @param ended ids of the incidents that the round has ended
 */
export async function collectNotifications(
  tx: Transaction,
  round: Round,
  ended: readonly number[],
  now: Date,
): Promise<RoundNotifications> {
  const opened = await readIncidents(
    tx,
    and(isNull(incidents.ended_at), isNull(incidents.alerted_at), isNotMuted(tx)),
  )
  const resolved =
    ended.length === 0
      ? []
      : await readIncidents(tx, and(isAnyOf(incidents.id, ended), isNotNull(incidents.alerted_at)))
  const announced = opened.map(({ incident }) => incident.id)
  if (announced.length > 0)
    await tx.update(incidents).set({ alerted_at: now }).where(isAnyOf(incidents.id, announced))
  const gapsOf = await readGaps(
    tx,
    resolved.map(({ incident }) => incident),
  )
  return {
    opened: opened.map(presentOpened),
    resolved: resolved.flatMap((row): IncidentResolved[] => {
      const { ended_at: endedAt } = row.incident
      if (endedAt === null) return []
      const downtime = calculateDowntime({ ...row.incident, gaps: gapsOf(row.incident) }, now)
      return [{ ...presentOpened(row), endedAt, downtime }]
    }),
    nodes: await probesOfNodes(tx, round, opened),
  }
}

/** Since the first of a node's webs fell: how many of its webs were probed in the round, and how many of them failed. */
async function probesOfNodes(
  tx: Transaction,
  round: Round,
  opened: readonly OpenIncident[],
): Promise<RoundNotifications['nodes']> {
  const first = new Map<number, Date>()
  for (const { node, incident } of opened) {
    if (node === null) continue
    const known = first.get(node.id)
    if (known === undefined || incident.started_at < known) first.set(node.id, incident.started_at)
  }
  if (first.size === 0) return new Map()
  const { rows } = await tx.execute<{ node_id: number; probed: number; failed: number }>(sql`
    select w.node_id, count(*)::int as probed, (count(*) filter (where s.outcome = 'down'))::int as failed
    from unnest(
      ${sql.param([...first.keys()])}::int[],
      ${sql.param([...first.values()].map((at) => at.toISOString()))}::timestamptz[]
    ) as fell (node_id, at)
    join webs w on w.node_id = fell.node_id
    join statistics s on s.web_id = w.id and s.round_at = ${round.at.toISOString()} and s.created_at >= fell.at
    where s.outcome <> 'unknown'
    group by w.node_id`)
  return new Map(rows.map(({ node_id, probed, failed }) => [node_id, { probed, failed }]))
}
