import { monitoringRoutes } from '@kustos/contract/monitoring'
import { websRoutes } from '@kustos/contract/webs'
import type { ComponentType } from 'react'
import { prefetchRoute } from '../platform/query.ts'
import type { ScreenName } from './screens.ts'

/** The `:id` of the URL; empty for screens that have none. */
export type ScreenComponent = ComponentType<{ readonly id: string }>

/** Separate from `screens.ts`, which the end-to-end tests import outside a browser. */
export const screenLoaders: Readonly<
  Record<ScreenName, () => Promise<{ readonly default: ScreenComponent }>>
> = {
  home: () => import('./dashboard/Dashboard.tsx'),
  'hosting-web-list': () => import('../features/webs/WebListScreen.tsx'),
  'hosting-web-add': () => import('../features/webs/WebAddScreen.tsx'),
  'hosting-web-show': () => import('./web-page/WebPageScreen.tsx'),
  'hosting-web-edit': () => import('../features/webs/WebEditScreen.tsx'),
  nodes: () => import('../features/nodes/NodesScreen.tsx'),
  'nodes-show': () => import('./NodePage.tsx'),
  'nodes-discovery': () => import('../features/nodes/DiscoveryScreen.tsx'),
  customers: () => import('../features/customers/CustomersScreen.tsx'),
  'customers-show': () => import('./CustomerPage.tsx'),
  tags: () => import('../features/tags/TagsScreen.tsx'),
  'hosting-bitbucket': () => import('../features/bitbucket/BitbucketScreen.tsx'),
  'hosting-tracking': () => import('../features/tracking/TrackingListScreen.tsx'),
  'hosting-tracking-show': () => import('../features/tracking/TrackingScreen.tsx'),
  'hosting-third-parties': () => import('../features/third-parties/ThirdPartiesScreen.tsx'),
  newweb: () => import('../features/deployment/NewWebScreen.tsx'),
  newschnuppertagweb: () => import('../features/deployment/TrialDayScreen.tsx'),
  forkweb: () => import('../features/deployment/ForkWebScreen.tsx'),
  'limitis-alldomains': () => import('../features/external-domains/AllDomainsScreen.tsx'),
  'limitis-externaldomains': () => import('../features/external-domains/ExternalDomainsScreen.tsx'),
  'limitis-externaldomains-add': () => import('../features/external-domains/AddDomainsScreen.tsx'),
  'limitis-limitisdomains': () => import('../features/limitis/OwnDomainsScreen.tsx'),
  'limitis-emails': () => import('../features/limitis/EmailsScreen.tsx'),
  'domains-show': () => import('../features/domains/DomainScreen.tsx'),
  'monitoring-webs': () => import('../features/monitoring/CheckUptimeScreen.tsx'),
  'monitoring-webs-show': () => import('../features/monitoring/UptimeScreen.tsx'),
  'monitoring-incidents': () => import('../features/incidents/IncidentsScreen.tsx'),
  'monitoring-incidents-show': () => import('../features/incidents/IncidentScreen.tsx'),
  'monitoring-events': () => import('../features/monitoring/EventsScreen.tsx'),
  'monitoring-on-call': () => import('../features/rotas/RotasScreen.tsx'),
  'monitoring-alert-routes': () => import('../features/alert-routes/AlertRoutesScreen.tsx'),
  'monitoring-channels': () => import('../features/alert-channels/AlertChannelsScreen.tsx'),
  maintenance: () => import('../features/maintenance/MaintenanceScreen.tsx'),
  queue: () => import('../features/queue/QueueScreen.tsx'),
  'queue-show': () => import('../features/deployment/DeploymentScreen.tsx'),
  batches: () => import('../features/batches/BatchListScreen.tsx'),
  'batches-show': () => import('../features/batches/BatchScreen.tsx'),
  logs: () => import('../features/logs/LogScreen.tsx'),
  'admin-user-management': () => import('../features/users/UserListScreen.tsx'),
  'admin-user-management-add': () => import('../features/users/UserAddScreen.tsx'),
  'admin-user-management-edit': () => import('../features/users/UserEditScreen.tsx'),
  'admin-roles': () => import('../features/roles/RolesScreen.tsx'),
  'user-settings': () => import('../features/users/SettingsScreen.tsx'),
}

/** Requests a screen's list while its code is loading. */
export const listRequests: Partial<Record<ScreenName, (url: URL) => void>> = {
  'hosting-web-list': ({ searchParams }) => {
    if (searchParams.get('deleted') !== '1') prefetchRoute(websRoutes.listWebs, {})
  },
  'hosting-tracking': () => prefetchRoute(websRoutes.listWebs, { query: { tracking: '1' } }),
  'monitoring-webs': () => prefetchRoute(monitoringRoutes.listMonitoredWebs, {}),
}
