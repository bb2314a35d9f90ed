import { z } from 'zod'
import { alertChannelsRoutes } from './alert-channels/index.ts'
import { alertRoutesRoutes } from './alert-routes/index.ts'
import { listAttention } from './attention/index.ts'
import { batchesRoutes } from './batches/index.ts'
import { bitbucketRoutes } from './bitbucket.ts'
import { customersRoutes } from './customers/index.ts'
import { deploymentRoutes } from './deployment/index.ts'
import { domainsRoutes } from './domains/routes.ts'
import { externalDomainsRoutes } from './external-domains/index.ts'
import { inspectionRoutes } from './inspections.ts'
import { limitisRoutes } from './limitis/index.ts'
import { logsRoutes } from './logs/index.ts'
import { maintenanceRoutes } from './maintenance/index.ts'
import { monitoringRoutes } from './monitoring/index.ts'
import { nodesRoutes } from './nodes/index.ts'
import type { Access } from './permissions.ts'
import { rotasRoutes } from './rotas/index.ts'
import { tagsRoutes } from './tags/index.ts'
import { id } from './text.ts'
import { thirdPartiesRoutes } from './third-parties/routes.ts'
import { usersRoutes } from './users/index.ts'
import { viewsRoutes } from './views/index.ts'
import { websRoutes } from './webs/index.ts'

/** The lists whose changes are reported, and who may know of them. */
export const eventLists = {
  webs: websRoutes.listWebs.access,
  nodes: nodesRoutes.listNodes.access,
  customers: customersRoutes.listCustomers.access,
  tags: tagsRoutes.listTags.access,
  third_parties: thirdPartiesRoutes.listThirdParties.access,
  deployments: deploymentRoutes.listDeployments.access,
  /** Reported for each deployment, because its log grows by many lines a second. */
  deployment_lines: deploymentRoutes.readDeploymentLines.access,
  batches: batchesRoutes.readBatch.access,
  repositories: bitbucketRoutes.listRepositories.access,
  /** Webs, for users who see only their latest probes. */
  monitored_webs: monitoringRoutes.listMonitoredWebs.access,
  probes: monitoringRoutes.listStatistics.access,
  probe_rounds: monitoringRoutes.readMonitoring.access,
  incidents: monitoringRoutes.listIncidents.access,
  maintenance_windows: maintenanceRoutes.listWindows.access,
  alert_channels: alertChannelsRoutes.listAlertChannels.access,
  alert_routes: alertRoutesRoutes.listAlertRoutes.access,
  rotas: rotasRoutes.listRotas.access,
  /** Of webs, customers and tags. */
  checks: { any: ['view webs', 'view monitoring web statistic', 'view customers', 'edit tags'] },
  /** Of webs and customers, with their exceptions. */
  tracking_contracts: { any: ['view webs', 'view customers'] },
  inspections: inspectionRoutes.readInspection.access,
  own_domains: limitisRoutes.listOwnDomains.access,
  external_domains: externalDomainsRoutes.listExternalDomains.access,
  domain_records: domainsRoutes.readDomainRecords.access,
  emails: limitisRoutes.listEmails.access,
  attention: listAttention.access,
  views: viewsRoutes.listViews.access,
  logs: logsRoutes.listLogs.access,
  users: usersRoutes.listUsers.access,
  roles: usersRoutes.listRoles.access,
  /** A deployment that a user asked for has ended: sent only to the user with this id. */
  own_deployments: deploymentRoutes.listOwnDeployments.access,
  /** A batch that a user asked for has ended: sent only to the user with this id. */
  own_batches: batchesRoutes.listOwnBatches.access,
  /** A user's own data, permissions or sessions: sent only to the user with its id. */
  account: usersRoutes.currentUser.access,
} as const satisfies Readonly<Record<string, Access>>
export type EventList = keyof typeof eventLists

const personal: ReadonlySet<EventList> = new Set(['account', 'own_deployments', 'own_batches'])

/** The lists whose id is that of the only user who gets the event. */
export const isPersonal = (list: EventList): boolean => personal.has(list)

/** The data of a server-sent event: the list that has changed, and the row if it is a single one, or the user. */
export const changedEvent = z.object({
  list: z.enum(Object.keys(eventLists) as [EventList, ...EventList[]]),
  id: id.optional(),
})
export type ChangedEvent = z.output<typeof changedEvent>

/** A stream for all signed-in users; not a route, because its response is not JSON. */
export const eventsPath = '/api/events'
