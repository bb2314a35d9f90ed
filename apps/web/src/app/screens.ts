import { bitbucketRoutes } from '@kustos/contract/bitbucket'
import { deploymentRoutes } from '@kustos/contract/deployment'
import { externalDomainsRoutes } from '@kustos/contract/external-domains'
import { limitisRoutes } from '@kustos/contract/limitis'
import { logsRoutes } from '@kustos/contract/logs'
import { monitoringRoutes } from '@kustos/contract/monitoring'
import type { Access } from '@kustos/contract/permissions'
import { queueRoutes } from '@kustos/contract/queue'
import { trackingRoutes } from '@kustos/contract/tracking'
import { usersRoutes } from '@kustos/contract/users'
import { websRoutes } from '@kustos/contract/webs'
import {
  type Icon,
  IconActivityHeartbeat,
  IconAddressBook,
  IconBrandBitbucket,
  IconChartLine,
  IconGitFork,
  IconHeartRateMonitor,
  IconHistory,
  IconLayoutDashboard,
  IconListCheck,
  IconMail,
  IconPencil,
  IconPlaylistAdd,
  IconPlus,
  IconRadar2,
  IconRocket,
  IconSchool,
  IconServer2,
  IconSettings,
  IconTerminal2,
  IconTimelineEvent,
  IconUserCog,
  IconUserEdit,
  IconUserPlus,
  IconUserShield,
  IconUsers,
  IconWorld,
  IconWorldCheck,
  IconWorldPlus,
  IconWorldSearch,
  IconWorldShare,
} from '@tabler/icons-react'
import type { Messages } from '../platform/messages/en/index.ts'

/** The specification's names of routes. */
type EntryName = keyof Messages['screens']
type GroupName = 'hosting' | 'deployment' | 'limitis' | 'monitoring' | 'admin'
export type ScreenName = Exclude<EntryName, GroupName>

export interface Screen {
  readonly name: ScreenName
  readonly path: string
  readonly access: Access
  readonly icon: Icon
  /** Old paths that redirect here. */
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

const requests = deploymentRoutes.newWeb.access
const { listExternalDomains, createExternalDomain } = externalDomainsRoutes
const { listOwnDomains, listEmails } = limitisRoutes
const { listMonitoredWebs, listStatistics, listUptime } = monitoringRoutes
const { listUsers, createUser, readUser, listRoles } = usersRoutes

/** The table of screens: sidebar, dashboard, route guards and document titles are built from it. */
export const entries: readonly Entry[] = [
  {
    name: 'home',
    path: '/',
    access: 'signed-in',
    icon: IconLayoutDashboard,
  },
  {
    name: 'hosting',
    path: '/hosting',
    access: {
      any: ['view webs', 'create webs', 'edit webs', 'delete webs', 'restore webs', 'view bitbucket'],
    },
    icon: IconServer2,
    children: [
      {
        name: 'hosting-web-list',
        path: '/hosting',
        access: websRoutes.listWebs.access,
        icon: IconWorld,
        aliases: ['/hosting/webs'],
      },
      {
        name: 'hosting-web-add',
        path: '/hosting/add',
        access: websRoutes.createWeb.access,
        icon: IconPlus,
      },
      {
        name: 'hosting-web-show',
        path: '/hosting/show/:id',
        access: websRoutes.readWeb.access,
        icon: IconWorld,
        of: 'hosting-web-list',
      },
      {
        name: 'hosting-web-edit',
        path: '/hosting/edit/:id',
        access: websRoutes.editWeb.access,
        icon: IconPencil,
        of: 'hosting-web-list',
      },
      {
        name: 'hosting-bitbucket',
        path: '/hosting/bitbucket',
        access: bitbucketRoutes.listRepositories.access,
        icon: IconBrandBitbucket,
      },
      {
        name: 'hosting-tracking',
        path: '/hosting/tracking',
        access: websRoutes.listWebs.access,
        icon: IconRadar2,
      },
      {
        name: 'hosting-tracking-show',
        path: '/hosting/tracking/:id',
        access: trackingRoutes.listTrackingAudits.access,
        icon: IconRadar2,
        of: 'hosting-tracking',
      },
    ],
  },
  {
    name: 'deployment',
    path: '/deployment',
    access: requests,
    icon: IconRocket,
    children: [
      { name: 'newweb', path: '/deployment/newweb', access: requests, icon: IconWorldPlus },
      {
        name: 'newschnuppertagweb',
        path: '/deployment/newschnuppertagweb',
        access: requests,
        icon: IconSchool,
      },
      { name: 'forkweb', path: '/deployment/forkweb', access: requests, icon: IconGitFork },
    ],
  },
  {
    name: 'limitis',
    path: '/limitis',
    access: { any: ['view external domains', 'view limitis domains', 'view limitis email'] },
    icon: IconAddressBook,
    children: [
      {
        name: 'limitis-alldomains',
        path: '/limitis/alldomains',
        access: { any: ['view external domains', 'view limitis domains'] },
        icon: IconWorldSearch,
      },
      {
        name: 'limitis-externaldomains',
        path: '/limitis/externaldomains/list',
        access: listExternalDomains.access,
        icon: IconWorldShare,
      },
      {
        name: 'limitis-externaldomains-add',
        path: '/limitis/externaldomains/add',
        access: createExternalDomain.access,
        icon: IconPlaylistAdd,
      },
      {
        name: 'limitis-limitisdomains',
        path: '/limitis/limitisdomains',
        access: listOwnDomains.access,
        icon: IconWorldCheck,
      },
      {
        name: 'limitis-emails',
        path: '/limitis/emails',
        access: listEmails.access,
        icon: IconMail,
      },
    ],
  },
  {
    name: 'monitoring',
    path: '/monitoring',
    access: listUptime.access,
    icon: IconActivityHeartbeat,
    children: [
      {
        name: 'monitoring-webs',
        path: '/monitoring/webs',
        access: listMonitoredWebs.access,
        icon: IconHeartRateMonitor,
      },
      {
        name: 'monitoring-webs-show',
        path: '/monitoring/webs/show/:id/:fqdn',
        access: listUptime.access,
        icon: IconChartLine,
        of: 'monitoring-webs',
      },
      {
        name: 'monitoring-events',
        path: '/monitoring/events',
        access: listStatistics.access,
        icon: IconTimelineEvent,
      },
    ],
  },
  {
    name: 'queue',
    path: '/queue',
    access: queueRoutes.listJobs.access,
    icon: IconListCheck,
  },
  {
    name: 'queue-show',
    path: '/queue/:id',
    access: deploymentRoutes.readDeployment.access,
    icon: IconTerminal2,
    of: 'queue',
  },
  {
    name: 'logs',
    path: '/logs',
    access: logsRoutes.listLogs.access,
    icon: IconHistory,
  },
  {
    name: 'admin',
    path: '/admin',
    access: listUsers.access,
    icon: IconUserCog,
    children: [
      {
        name: 'admin-user-management',
        path: '/admin/user-management',
        access: listUsers.access,
        icon: IconUsers,
      },
      {
        name: 'admin-user-management-add',
        path: '/admin/user-management/add',
        access: createUser.access,
        icon: IconUserPlus,
      },
      {
        name: 'admin-user-management-edit',
        path: '/admin/user-management/edit/:id',
        access: readUser.access,
        icon: IconUserEdit,
        of: 'admin-user-management',
      },
      {
        name: 'admin-roles',
        path: '/admin/roles',
        access: listRoles.access,
        icon: IconUserShield,
      },
    ],
  },
  {
    name: 'user-settings',
    path: '/settings',
    access: usersRoutes.editUser.access,
    icon: IconSettings,
    isUnlisted: true,
  },
]
