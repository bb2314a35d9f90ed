import type { Transaction } from '@kustos/database/client'
import { deployments, incidents, nodes, webs } from '@kustos/database/tables'
import { and, eq, exists, gte, isNotNull, isNull, not, or, sql } from 'drizzle-orm'
import { isAnyOf } from '../platform/is-any-of.ts'
import {
  alertedWebColumns,
  type IncidentOpened,
  type IncidentResolved,
  type RoundNotifications,
} from './alerts/index.ts'
import type { Round } from './evaluate-round.ts'
import { calculateDowntime, readGaps } from './incidents.ts'

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
  // One that has ended since the probe was running when the web failed.
  const running = tx
    .select({ id: deployments.id })
    .from(deployments)
    .where(
      and(
        eq(deployments.web_id, incidents.web_id),
        or(eq(deployments.state, 'running'), gte(deployments.ended_at, incidents.last_failed_at)),
      ),
    )
  const opened = await read(
    tx,
    and(isNull(incidents.ended_at), isNull(incidents.alerted_at), not(exists(running))),
  )
  const resolved =
    ended.length === 0
      ? []
      : await read(tx, and(isAnyOf(incidents.id, ended), isNotNull(incidents.alerted_at)))
  const announced = opened.map(({ incident }) => incident.id)
  if (announced.length > 0)
    await tx.update(incidents).set({ alerted_at: now }).where(isAnyOf(incidents.id, announced))
  const gapsOf = await readGaps(
    tx,
    resolved.map(({ incident }) => incident),
  )
  return {
    opened: opened.map(present),
    resolved: resolved.flatMap((row): IncidentResolved[] => {
      const { ended_at: endedAt } = row.incident
      if (endedAt === null) return []
      const downtime = calculateDowntime({ ...row.incident, gaps: gapsOf(row.incident) }, now)
      return [{ ...present(row), endedAt, downtime }]
    }),
    nodes: await probesOfNodes(tx, round, opened),
  }
}

type Row = Awaited<ReturnType<typeof read>>[number]

const read = (tx: Transaction, which: ReturnType<typeof and>) =>
  tx
    .select({
      incident: incidents,
      web: alertedWebColumns,
      node: { id: nodes.id, name: nodes.name },
    })
    .from(incidents)
    .innerJoin(webs, eq(webs.id, incidents.web_id))
    .leftJoin(nodes, eq(nodes.id, webs.node_id))
    .where(which)
    .orderBy(incidents.id)

const present = ({ incident, web, node }: Row): IncidentOpened => ({
  incident: incident.id,
  outage: incident.outage_id,
  web: { ...web, node },
  startedAt: incident.started_at,
  status: incident.status,
  reason: incident.reason,
})

/** Since the first of a node's webs fell: how many of its webs were probed in the round, and how many of them failed. */
async function probesOfNodes(
  tx: Transaction,
  round: Round,
  opened: readonly Row[],
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
