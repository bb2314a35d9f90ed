import { deploymentRoutes } from '@kustos/contract/deployment'
import type { IncidentTimeline, IncidentTimelineEntry } from '@kustos/contract/incidents'
import { logsRoutes } from '@kustos/contract/logs'
import { can } from '@kustos/contract/permissions'
import { listDeployments } from '../deployment/index.ts'
import { listEntriesOf } from '../logs/index.ts'
import type { Context } from '../platform/context.ts'
import { findEntry, readMembers } from './find.ts'
import { readAlerts } from './timeline-alerts.ts'
import { readProbes } from './timeline-probes.ts'

const aroundMs = 3_600_000
/** Entries of each kind. */
const limit = 500

/**
 * What happened from an hour before an incident until an hour after it, oldest first: probes, alerts, and the deployments and
 * changes that the acting user may see.
 * @throws DomainError not-found
 */
export async function readIncidentTimeline(context: Context, id: number): Promise<IncidentTimeline> {
  const { actor, db } = context
  const entry = await findEntry(context, id)
  const members = await readMembers(context, entry)
  const webIds = [...new Set(members.flatMap(({ web }) => (web === null ? [] : [web.id])))]
  const incidentIds = [...new Set([id, entry.outage_id ?? id, ...members.map((member) => member.id)])]
  const since = new Date(Date.parse(entry.started_at) - aroundMs)
  const end = entry.ended_at === null ? context.now() : new Date(Date.parse(entry.ended_at) + aroundMs)
  const span = { since, until: end, limit }
  const lists: readonly IncidentTimelineEntry[][] = await Promise.all([
    readProbes(db, members),
    readAlerts(
      db,
      members.map((member) => member.id),
    ),
    can(actor, deploymentRoutes.listDeployments.access)
      ? listDeployments(context, { webs: webIds, ...span }).then((found) =>
          found.map((deployment) => ({ kind: 'deployment' as const, at: deployment.created_at, deployment })),
        )
      : [],
    can(actor, logsRoutes.listLogs.access)
      ? listEntriesOf(context, { web: webIds, incident: incidentIds }, span).then((found) =>
          found.map((change) => ({ kind: 'change' as const, at: change.created_at, change })),
        )
      : [],
  ])
  const data = lists.flat().sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  return { data, from: since.toISOString(), to: end.toISOString() }
}
