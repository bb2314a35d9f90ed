import { z } from 'zod'
import { bitbucketRoutes } from './bitbucket.ts'
import { deploymentRoutes } from './deployment/index.ts'
import { externalDomainsRoutes } from './external-domains/index.ts'
import { inspectionRoutes } from './inspections.ts'
import { limitisRoutes } from './limitis/index.ts'
import { logsRoutes } from './logs/index.ts'
import { monitoringRoutes } from './monitoring/index.ts'
import type { Access } from './permissions.ts'
import { id } from './text.ts'
import { usersRoutes } from './users/index.ts'
import { websRoutes } from './webs/index.ts'

/** The lists that open screens are notified of, and who may receive each. */
export const eventLists = {
  webs: websRoutes.listWebs.access,
  deployments: deploymentRoutes.listDeployments.access,
  /** A deployment's log, which grows by many lines a second. */
  deployment_lines: deploymentRoutes.readDeploymentLines.access,
  repositories: bitbucketRoutes.listRepositories.access,
  /** The webs once more, for those who see no more of them than what the latest probes saw. */
  monitored_webs: monitoringRoutes.listMonitoredWebs.access,
  /** There are new statistics. */
  probes: monitoringRoutes.listStatistics.access,
  /** A round of probes has been evaluated. */
  probe_rounds: monitoringRoutes.readMonitoring.access,
  incidents: monitoringRoutes.listIncidents.access,
  /** A refresh or an audit was requested, or has progressed. */
  inspections: inspectionRoutes.readInspection.access,
  own_domains: limitisRoutes.listOwnDomains.access,
  external_domains: externalDomainsRoutes.listExternalDomains.access,
  emails: limitisRoutes.listEmails.access,
  logs: logsRoutes.listLogs.access,
  users: usersRoutes.listUsers.access,
  roles: usersRoutes.listRoles.access,
  /** A user's own data, permissions or sessions: sent only to the user with its id. */
  account: usersRoutes.currentUser.access,
} as const satisfies Readonly<Record<string, Access>>
export type EventList = keyof typeof eventLists

/** What a server-sent event carries as JSON: which list has changed, and in it which row where one is meant. */
export const changedEvent = z.object({
  list: z.enum(Object.keys(eventLists) as [EventList, ...EventList[]]),
  id: id.optional(),
})
export type ChangedEvent = z.output<typeof changedEvent>

/** A stream, for all signed-in users; not a route, because its response is not JSON. */
export const eventsPath = '/api/events'
