import type { ComponentType } from 'react'
import type { ScreenName } from './screens.ts'

/** Separate from `screens.ts`, which the end-to-end tests import outside a browser. */
export const screenLoaders: Readonly<Record<ScreenName, () => Promise<ComponentType>>> = {
  home: async () => (await import('./dashboard/Dashboard.tsx')).Dashboard,
  'hosting-web-list': async () => (await import('../features/webs/WebListScreen.tsx')).WebListScreen,
  'hosting-web-add': async () => (await import('../features/webs/WebAddScreen.tsx')).WebAddScreen,
  'hosting-web-show': async () => (await import('./web-page/WebPageScreen.tsx')).WebPageScreen,
  'hosting-web-edit': async () => (await import('../features/webs/WebEditScreen.tsx')).WebEditScreen,
  'hosting-bitbucket': async () =>
    (await import('../features/bitbucket/BitbucketScreen.tsx')).BitbucketScreen,
  'hosting-tracking': async () =>
    (await import('../features/tracking/TrackingListScreen.tsx')).TrackingListScreen,
  'hosting-tracking-show': async () =>
    (await import('../features/tracking/TrackingScreen.tsx')).TrackingScreen,
  newweb: async () => (await import('../features/deployment/NewWebScreen.tsx')).NewWebScreen,
  newschnuppertagweb: async () => (await import('../features/deployment/TrialDayScreen.tsx')).TrialDayScreen,
  forkweb: async () => (await import('../features/deployment/ForkWebScreen.tsx')).ForkWebScreen,
  'limitis-alldomains': async () =>
    (await import('../features/external-domains/AllDomainsScreen.tsx')).AllDomainsScreen,
  'limitis-externaldomains': async () =>
    (await import('../features/external-domains/ExternalDomainsScreen.tsx')).ExternalDomainsScreen,
  'limitis-externaldomains-add': async () =>
    (await import('../features/external-domains/AddDomainsScreen.tsx')).AddDomainsScreen,
  'limitis-limitisdomains': async () =>
    (await import('../features/limitis/OwnDomainsScreen.tsx')).OwnDomainsScreen,
  'limitis-emails': async () => (await import('../features/limitis/EmailsScreen.tsx')).EmailsScreen,
  'monitoring-webs': async () =>
    (await import('../features/monitoring/CheckUptimeScreen.tsx')).CheckUptimeScreen,
  'monitoring-webs-show': async () => (await import('../features/monitoring/UptimeScreen.tsx')).UptimeScreen,
  'monitoring-events': async () => (await import('../features/monitoring/EventsScreen.tsx')).EventsScreen,
  queue: async () => (await import('../features/queue/QueueScreen.tsx')).QueueScreen,
  'queue-show': async () => (await import('../features/deployment/DeploymentScreen.tsx')).DeploymentScreen,
  logs: async () => (await import('../features/logs/LogScreen.tsx')).LogScreen,
  'admin-user-management': async () => (await import('../features/users/UserListScreen.tsx')).UserListScreen,
  'admin-user-management-add': async () =>
    (await import('../features/users/UserAddScreen.tsx')).UserAddScreen,
  'admin-user-management-edit': async () =>
    (await import('../features/users/UserEditScreen.tsx')).UserEditScreen,
  'admin-roles': async () => (await import('../features/roles/RolesScreen.tsx')).RolesScreen,
  'user-settings': async () => (await import('../features/users/SettingsScreen.tsx')).SettingsScreen,
}
