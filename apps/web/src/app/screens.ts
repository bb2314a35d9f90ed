import { alertChannelsPath, alertChannelsRoutes } from '@kustos/contract/alert-channels'
import { alertRoutesPath, alertRoutesRoutes } from '@kustos/contract/alert-routes'
import { batchesRoutes } from '@kustos/contract/batches'
import { bitbucketRoutes } from '@kustos/contract/bitbucket'
import { customersRoutes } from '@kustos/contract/customers'
import { deploymentRoutes } from '@kustos/contract/deployment'
import { domainsRoutes } from '@kustos/contract/domains'
import { externalDomainsRoutes } from '@kustos/contract/external-domains'
import { limitisRoutes } from '@kustos/contract/limitis'
import { logsRoutes } from '@kustos/contract/logs'
import { maintenancePath, maintenanceRoutes } from '@kustos/contract/maintenance'
import { monitoringRoutes } from '@kustos/contract/monitoring'
import { nodesRoutes } from '@kustos/contract/nodes'
import { type Access, anyOf } from '@kustos/contract/permissions'
import { queueRoutes } from '@kustos/contract/queue'
import { onCallPath, rotasRoutes } from '@kustos/contract/rotas'
import { tagsRoutes } from '@kustos/contract/tags'
import { thirdPartiesRoutes } from '@kustos/contract/third-parties'
import { trackingRoutes } from '@kustos/contract/tracking'
import { usersRoutes } from '@kustos/contract/users'
import { websRoutes } from '@kustos/contract/webs'
import {
  type Icon,
  IconActivityHeartbeat,
  IconAddressBook,
  IconBarrierBlock,
  IconBellRinging,
  IconBrandBitbucket,
  IconChartLine,
  IconGitFork,
  IconHeartBroken,
  IconHeartRateMonitor,
  IconHistory,
  IconLayoutDashboard,
  IconListCheck,
  IconMail,
  IconPencil,
  IconPhoneCall,
  IconPlaylistAdd,
  IconPlus,
  IconRadar2,
  IconRocket,
  IconRoute,
  IconSchool,
  IconServer2,
  IconSettings,
  IconStack2,
  IconTags,
  IconTerminal2,
  IconTimelineEvent,
  IconUserCog,
  IconUserEdit,
  IconUserPlus,
  IconUserShield,
  IconUsers,
  IconWorld,
  IconWorldCheck,
  IconWorldDownload,
  IconWorldPlus,
  IconWorldSearch,
  IconWorldShare,
} from '@tabler/icons-react'
import type { Messages } from '../platform/i18n.ts'

/** The specification's names of routes. */
type EntryName = keyof Messages['screens']
type GroupName = 'hosting' | 'deployment' | 'limitis' | 'monitoring' | 'admin'
export type ScreenName = Exclude<EntryName, GroupName>

export interface Screen {
  readonly name: ScreenName
  readonly path: string
  readonly access: Access
  readonly icon: Icon
  readonly aliases?: readonly string[]
  /** The list that it belongs to, and that the sidebar marks while it is open. It is neither in sidebar nor dashboard. */
  readonly of?: ScreenName
  /** In neither of them, without a list. */
  readonly isUnlisted?: true
}

/** Screens under a heading; its bare path redirects to the first one that the user may see. */
export interface Group {
  readonly name: GroupName
  readonly path: string
  readonly access: Access
  readonly icon: Icon
  readonly children: readonly Screen[]
}

export type Entry = Screen | Group

export const isGroup = (entry: Entry): entry is Group => 'children' in entry

const { listAlertChannels } = alertChannelsRoutes
const { newWeb, readDeployment } = deploymentRoutes
const { listExternalDomains, createExternalDomain } = externalDomainsRoutes
const { listOwnDomains, listEmails } = limitisRoutes
const { listIncidents, listMonitoredWebs, listStatistics, listUptime } = monitoringRoutes
const { listUsers, createUser, readUser, listRoles } = usersRoutes

/** @param route whose permission the screen needs */
const screen = (
  name: ScreenName,
  path: string,
  route: Pick<Screen, 'access'>,
  icon: Icon,
  more?: Pick<Screen, 'aliases' | 'of' | 'isUnlisted'>,
): Screen => ({ name, path, access: route.access, icon, ...more })

/** The table of screens: sidebar, dashboard, route guards and document titles are built from it. */
export const entries: readonly Entry[] = [
  screen('home', '/', { access: 'signed-in' }, IconLayoutDashboard),
  {
    name: 'hosting',
    path: '/hosting',
    access: {
      any: [
        'view webs',
        'create webs',
        'edit webs',
        'delete webs',
        'restore webs',
        'manage nodes',
        'view customers',
        'edit tags',
        'view bitbucket',
      ],
    },
    icon: IconServer2,
    children: [
      screen('hosting-web-list', '/hosting', websRoutes.listWebs, IconWorld, {
        aliases: ['/hosting/webs'],
      }),
      screen('hosting-web-add', '/hosting/add', websRoutes.createWeb, IconPlus),
      screen('hosting-web-show', '/hosting/show/:id', websRoutes.readWeb, IconWorld, {
        of: 'hosting-web-list',
      }),
      screen('hosting-web-edit', '/hosting/edit/:id', websRoutes.editWeb, IconPencil, {
        of: 'hosting-web-list',
      }),
      screen('nodes', '/nodes', nodesRoutes.listNodes, IconServer2),
      screen('nodes-show', '/nodes/:id', nodesRoutes.readNodeOverview, IconServer2, { of: 'nodes' }),
      screen('nodes-discovery', '/nodes/:id/discovery', nodesRoutes.readDiscovery, IconServer2, {
        of: 'nodes',
      }),
      screen('customers', '/customers', customersRoutes.listCustomers, IconUsers),
      screen('customers-show', '/customers/:id', customersRoutes.readCustomer, IconUsers, {
        of: 'customers',
      }),
      screen('tags', '/tags', tagsRoutes.editTag, IconTags),
      screen('hosting-bitbucket', '/hosting/bitbucket', bitbucketRoutes.listRepositories, IconBrandBitbucket),
      screen('hosting-tracking', '/hosting/tracking', websRoutes.listWebs, IconRadar2),
      screen(
        'hosting-tracking-show',
        '/hosting/tracking/:id',
        trackingRoutes.listTrackingAudits,
        IconRadar2,
        { of: 'hosting-tracking' },
      ),
      screen(
        'hosting-third-parties',
        '/hosting/third-parties',
        thirdPartiesRoutes.listThirdParties,
        IconWorldDownload,
      ),
    ],
  },
  {
    name: 'deployment',
    path: '/deployment',
    access: newWeb.access,
    icon: IconRocket,
    children: [
      screen('newweb', '/deployment/newweb', newWeb, IconWorldPlus),
      screen('newschnuppertagweb', '/deployment/newschnuppertagweb', newWeb, IconSchool),
      screen('forkweb', '/deployment/forkweb', newWeb, IconGitFork),
    ],
  },
  {
    name: 'limitis',
    path: '/limitis',
    access: {
      any: ['view external domains', 'create external domains', 'view limitis domains', 'view limitis email'],
    },
    icon: IconAddressBook,
    children: [
      screen(
        'limitis-alldomains',
        '/limitis/alldomains',
        { access: { any: ['view external domains', 'view limitis domains'] } },
        IconWorldSearch,
      ),
      screen('limitis-externaldomains', '/limitis/externaldomains/list', listExternalDomains, IconWorldShare),
      screen(
        'limitis-externaldomains-add',
        '/limitis/externaldomains/add',
        createExternalDomain,
        IconPlaylistAdd,
      ),
      screen('limitis-limitisdomains', '/limitis/limitisdomains', listOwnDomains, IconWorldCheck),
      screen('limitis-emails', '/limitis/emails', listEmails, IconMail),
    ],
  },
  // Outside of its list's group, which users who only see webs do not have.
  screen('domains-show', '/domains/:id', domainsRoutes.readDomainRecords, IconWorldSearch, {
    of: 'limitis-alldomains',
  }),
  {
    name: 'monitoring',
    path: '/monitoring',
    access: anyOf([listUptime.access, listAlertChannels.access]),
    icon: IconActivityHeartbeat,
    children: [
      screen('monitoring-webs', '/monitoring/webs', listMonitoredWebs, IconHeartRateMonitor),
      screen('monitoring-webs-show', '/monitoring/webs/show/:id/:fqdn', listUptime, IconChartLine, {
        of: 'monitoring-webs',
      }),
      screen('monitoring-incidents', '/monitoring/incidents', listIncidents, IconHeartBroken),
      screen('monitoring-incidents-show', '/monitoring/incidents/:id', listIncidents, IconHeartBroken, {
        of: 'monitoring-incidents',
      }),
      screen('monitoring-on-call', onCallPath, rotasRoutes.listRotas, IconPhoneCall),
      screen('monitoring-alert-routes', alertRoutesPath, alertRoutesRoutes.listAlertRoutes, IconRoute),
      screen('monitoring-events', '/monitoring/events', listStatistics, IconTimelineEvent),
      screen('monitoring-channels', alertChannelsPath, listAlertChannels, IconBellRinging),
    ],
  },
  screen('maintenance', maintenancePath, maintenanceRoutes.listWindows, IconBarrierBlock),
  screen('queue', '/queue', queueRoutes.listJobs, IconListCheck),
  screen('queue-show', '/queue/:id', readDeployment, IconTerminal2, { of: 'queue' }),
  screen('batches', '/batches', batchesRoutes.listBatches, IconStack2),
  screen('batches-show', '/batches/:id', batchesRoutes.readBatch, IconStack2, { of: 'batches' }),
  screen('logs', '/logs', logsRoutes.listLogs, IconHistory),
  {
    name: 'admin',
    path: '/admin',
    access: listUsers.access,
    icon: IconUserCog,
    children: [
      screen('admin-user-management', '/admin/user-management', listUsers, IconUsers),
      screen('admin-user-management-add', '/admin/user-management/add', createUser, IconUserPlus),
      screen('admin-user-management-edit', '/admin/user-management/edit/:id', readUser, IconUserEdit, {
        of: 'admin-user-management',
      }),
      screen('admin-roles', '/admin/roles', listRoles, IconUserShield),
    ],
  },
  screen('user-settings', '/settings', usersRoutes.editUser, IconSettings, { isUnlisted: true }),
]

export interface ScreenOfGroup {
  readonly screen: Screen
  readonly group: Group | undefined
}

export const screens: readonly ScreenOfGroup[] = entries.flatMap((entry): ScreenOfGroup[] =>
  isGroup(entry)
    ? entry.children.map((child) => ({ screen: child, group: entry }))
    : [{ screen: entry, group: undefined }],
)
