import { certificatesRoutes } from '@kustos/contract/certificates'
import { deploymentRoutes } from '@kustos/contract/deployment'
import { logsRoutes } from '@kustos/contract/logs'
import { monitoringRoutes } from '@kustos/contract/monitoring'
import { can } from '@kustos/contract/permissions'
import { type Timeline, type TimelineEntry, timelineLimit, timelineWeeks } from '@kustos/contract/timeline'
import { listDeployments } from '../deployment/index.ts'
import { listEntriesOf } from '../logs/index.ts'
import { listCertificateEntries, listIncidents } from '../monitoring/index.ts'
import type { Context } from '../platform/context.ts'

const weekMs = 7 * 24 * 3_600_000

/**
 * What happened to some webs and other things in the last weeks, newest first, of the kinds that the acting user may see.
 * @param subjects of the changes: ids by type. Deployments and incidents are those of the webs
 */
export async function readTimelineOf(
  context: Context,
  subjects: Parameters<typeof listEntriesOf>[1] & { readonly web: readonly number[] },
  weeks: number = timelineWeeks.default,
): Promise<Timeline> {
  const { actor, now } = context
  const since = new Date(now().getTime() - weeks * weekMs)
  const query = { webs: subjects.web, since, limit: timelineLimit }
  const sees = (route: { readonly access: Parameters<typeof can>[1] }) => can(actor, route.access)
  const lists: readonly TimelineEntry[][] = await Promise.all([
    sees(deploymentRoutes.listDeployments)
      ? listDeployments(context, query).then((found) =>
          found.map((deployment) => ({ kind: 'deployment' as const, at: deployment.created_at, deployment })),
        )
      : [],
    sees(monitoringRoutes.listIncidents)
      ? listIncidents(context, query).then((found) =>
          found.map((incident) => ({ kind: 'incident' as const, at: incident.started_at, incident })),
        )
      : [],
    sees(logsRoutes.listLogs)
      ? listEntriesOf(context, subjects, query).then((found) =>
          found.map((change) => ({ kind: 'change' as const, at: change.created_at, change })),
        )
      : [],
    sees(certificatesRoutes.listWebCertificates) ? listCertificateEntries(context, query) : [],
  ])
  // A list that was cut is complete from its last entry on.
  const from = lists.reduce(
    (latest, list) =>
      list.length < timelineLimit ? latest : Math.max(latest, Date.parse(list.at(-1)?.at ?? '')),
    since.getTime(),
  )
  const data = lists
    .flat()
    .filter(({ at }) => Date.parse(at) >= from)
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
  return { data, from: new Date(from).toISOString() }
}
