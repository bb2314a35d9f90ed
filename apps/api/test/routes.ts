import { alertChannelsRoutes } from '@kustos/contract/alert-channels'
import { alertRoutesRoutes } from '@kustos/contract/alert-routes'
import { attentionRoutes } from '@kustos/contract/attention'
import { authRoutes } from '@kustos/contract/auth'
import { batchesRoutes } from '@kustos/contract/batches'
import { bitbucketRoutes } from '@kustos/contract/bitbucket'
import { certificatesRoutes } from '@kustos/contract/certificates'
import { checksRoutes } from '@kustos/contract/checks'
import { customersRoutes } from '@kustos/contract/customers'
import { deploymentRoutes } from '@kustos/contract/deployment'
import { domainsRoutes } from '@kustos/contract/domains'
import { externalDomainsRoutes } from '@kustos/contract/external-domains'
import { incidentsRoutes } from '@kustos/contract/incidents'
import { inspectionRoutes } from '@kustos/contract/inspections'
import { limitisRoutes } from '@kustos/contract/limitis'
import { logSearchRoutes, logsRoutes } from '@kustos/contract/logs'
import { maintenanceRoutes } from '@kustos/contract/maintenance'
import { monitoringRoutes } from '@kustos/contract/monitoring'
import { nodesRoutes } from '@kustos/contract/nodes'
import { queueRoutes } from '@kustos/contract/queue'
import { reportsRoutes } from '@kustos/contract/reports'
import { rotasRoutes } from '@kustos/contract/rotas'
import type { Route } from '@kustos/contract/route'
import { searchRoutes } from '@kustos/contract/search'
import { tagsRoutes } from '@kustos/contract/tags'
import { thirdPartiesRoutes } from '@kustos/contract/third-parties'
import { trackingRoutes } from '@kustos/contract/tracking'
import { trackingContractsRoutes } from '@kustos/contract/tracking-contracts'
import { usersRoutes } from '@kustos/contract/users'
import { viewsRoutes } from '@kustos/contract/views'
import { websRoutes } from '@kustos/contract/webs'

/** Every route of the contract, by feature and name. */
export const routes: Record<string, Route> = Object.fromEntries(
  Object.entries({
    'alert-channels': alertChannelsRoutes,
    'alert-routes': alertRoutesRoutes,
    attention: attentionRoutes,
    auth: authRoutes,
    batches: batchesRoutes,
    bitbucket: bitbucketRoutes,
    certificates: certificatesRoutes,
    checks: checksRoutes,
    customers: customersRoutes,
    deployment: deploymentRoutes,
    domains: domainsRoutes,
    'external-domains': externalDomainsRoutes,
    limitis: limitisRoutes,
    incidents: incidentsRoutes,
    inspections: inspectionRoutes,
    logs: { ...logsRoutes, ...logSearchRoutes },
    maintenance: maintenanceRoutes,
    monitoring: monitoringRoutes,
    nodes: nodesRoutes,
    queue: queueRoutes,
    reports: reportsRoutes,
    rotas: rotasRoutes,
    search: searchRoutes,
    tags: tagsRoutes,
    'third-parties': thirdPartiesRoutes,
    tracking: trackingRoutes,
    'tracking-contracts': trackingContractsRoutes,
    users: usersRoutes,
    views: viewsRoutes,
    webs: websRoutes,
  }).flatMap(([feature, declared]) =>
    Object.entries(declared).map(([name, route]): [string, Route] => [`${feature}.${name}`, route]),
  ),
)
