import { alertChannelsPath, alertChannelsRoutes } from '@kustos/contract/alert-channels'
import { alertRoutesPath, alertRoutesRoutes } from '@kustos/contract/alert-routes'
import { batchesRoutes } from '@kustos/contract/batches'
import { customersRoutes } from '@kustos/contract/customers'
import { deploymentRoutes } from '@kustos/contract/deployment'
import { domainsRoutes } from '@kustos/contract/domains'
import { externalDomainsRoutes } from '@kustos/contract/external-domains'
import type { LogEntry, logsRoutes } from '@kustos/contract/logs'
import { maintenancePath, maintenanceRoutes } from '@kustos/contract/maintenance'
import { monitoringRoutes } from '@kustos/contract/monitoring'
import { nodesRoutes } from '@kustos/contract/nodes'
import { can, type PermissionHolder } from '@kustos/contract/permissions'
import { onCallPath, rotasRoutes } from '@kustos/contract/rotas'
import type { CallInput, Route } from '@kustos/contract/route'
import { tagsRoutes } from '@kustos/contract/tags'
import { thirdPartiesRoutes } from '@kustos/contract/third-parties'
import { usersRoutes } from '@kustos/contract/users'
import { websRoutes } from '@kustos/contract/webs'
import { customerPath } from '../customer/paths.ts'
import { domainPath } from '../domain/paths.ts'
import { incidentPath } from '../incident/paths.ts'
import { nodePath } from '../node/paths.ts'
import { thirdPartiesPath } from '../tracking/paths.ts'

export type LogQuery = NonNullable<CallInput<typeof logsRoutes.listLogs>['query']>

/** Filters of the log, named as in the log screen's URL. */
export type LogFilter = Omit<LogQuery, 'limit' | 'before' | 'id' | 'without'>

/** As the parameters of a URL. */
export const toSearchParams = (query: LogQuery): URLSearchParams =>
  new URLSearchParams(Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined))

/** Path of the log screen with these filters. */
export function logPath(filter: LogFilter): string {
  const query = toSearchParams(filter)
  return query.size === 0 ? '/logs' : `/logs?${query}`
}

interface Page {
  readonly route: Pick<Route, 'access'>
  /** @param name null if unknown */
  readonly path: (id: number, name: string | null) => string | null
}

const named = (pathOf: (name: string) => string) => (_: number, name: string | null) => name && pathOf(name)

const pages: Readonly<Record<string, Page>> = {
  web: { route: websRoutes.readWeb, path: (id) => `/hosting/show/${id}` },
  user: { route: usersRoutes.readUser, path: (id) => `/admin/user-management/edit/${id}` },
  role: { route: usersRoutes.listRoles, path: () => '/admin/roles' },
  deployment: { route: deploymentRoutes.readDeployment, path: (id) => `/queue/${id}` },
  batch: { route: batchesRoutes.readBatch, path: (id) => `/batches/${id}` },
  customer: { route: customersRoutes.readCustomer, path: named(customerPath) },
  node: { route: nodesRoutes.readNodeOverview, path: named(nodePath) },
  incident: { route: monitoringRoutes.listIncidents, path: incidentPath },
  tag: { route: tagsRoutes.editTag, path: () => '/tags' },
  third_party: { route: thirdPartiesRoutes.listThirdParties, path: () => thirdPartiesPath },
  tracking_policy: { route: thirdPartiesRoutes.listThirdParties, path: () => thirdPartiesPath },
  alert_route: { route: alertRoutesRoutes.listAlertRoutes, path: () => alertRoutesPath },
  alert_route_order: { route: alertRoutesRoutes.listAlertRoutes, path: () => alertRoutesPath },
  rota: { route: rotasRoutes.listRotas, path: () => onCallPath },
  alert_channel: { route: alertChannelsRoutes.listAlertChannels, path: () => alertChannelsPath },
  maintenance_window: { route: maintenanceRoutes.listWindows, path: () => maintenancePath },
  domain: { route: domainsRoutes.readDomainRecords, path: named(domainPath) },
  external_domain: {
    route: externalDomainsRoutes.listExternalDomains,
    path: (id) => `/limitis/externaldomains/list?f.id=${encodeURIComponent(`=:${id}`)}`,
  },
}

/** Path of the page about an entry's subject; null if there is none or the user may not see it. */
export function subjectPath(
  user: PermissionHolder | null,
  {
    subject_type: type,
    subject_id: id,
    subject_name: name,
  }: Pick<LogEntry, `subject_${'type' | 'id' | 'name'}`>,
): string | null {
  const page = type === null ? undefined : pages[type]
  if (page === undefined || id === null) return null
  return can(user, page.route.access) ? page.path(id, name) : null
}
