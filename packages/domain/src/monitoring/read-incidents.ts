import type { Transaction } from '@kustos/database/client'
import { incidents, nodes, webs } from '@kustos/database/tables'
import { eq, type SQL, sql } from 'drizzle-orm'
import { alertedWebColumns, type IncidentOpened } from './alerts/index.ts'
import { hostOf } from './outage.ts'

export type OpenIncident = Awaited<ReturnType<typeof readIncidents>>[number]

/** Incidents with what an alert says of their webs, the oldest first. */
export const readIncidents = (tx: Transaction, which: SQL | undefined) =>
  tx
    .select({
      incident: incidents,
      web: alertedWebColumns,
      node: { id: nodes.id, name: nodes.name },
      host: sql<string | null>`${hostOf('nodes')}`,
    })
    .from(incidents)
    .innerJoin(webs, eq(webs.id, incidents.web_id))
    .leftJoin(nodes, eq(nodes.id, webs.node_id))
    .where(which)
    .orderBy(incidents.id)

export const presentOpened = ({ incident, web, node, host }: OpenIncident): IncidentOpened => ({
  incident: incident.id,
  outage: incident.outage_id,
  kind: incident.kind,
  web: { ...web, node },
  host,
  startedAt: incident.started_at,
  status: incident.status,
  reason: incident.reason,
})
