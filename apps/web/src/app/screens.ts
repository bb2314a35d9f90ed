import type { Access } from '@kustos/contract/permissions'
import { usersRoutes } from '@kustos/contract/users'
import { websRoutes } from '@kustos/contract/webs'
import {
  type Icon,
  IconLayoutDashboard,
  IconPencil,
  IconPlus,
  IconServer2,
  IconSettings,
  IconWorldWww,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { Messages } from './messages/en/index.ts'

/** The specification's names of routes; titles and descriptions stand under them in the catalogue. */
export type ScreenName = keyof Messages['screens']

export interface Screen {
  readonly name: ScreenName
  readonly path: string
  readonly access: Access
  readonly icon: Icon
  readonly load: () => Promise<ComponentType>
  /** Paths that lead here too, for old bookmarks. */
  readonly aliases?: readonly string[]
  readonly hiddenFromSidebar?: true
  readonly hiddenFromDashboard?: true
}

/** Screens under one heading. Its bare path goes to the first child that the user may see. */
export interface Group {
  readonly name: ScreenName
  readonly path: string
  readonly access: Access
  readonly icon: Icon
  readonly children: readonly Screen[]
  readonly hiddenFromDashboard?: true
}

export type Entry = Screen | Group

export const isGroup = (entry: Entry): entry is Group => 'children' in entry

/** Every screen there is: sidebar, dashboard, guards and document titles are made from this table. */
export const entries: readonly Entry[] = [
  {
    name: 'home',
    path: '/',
    access: 'signed-in',
    icon: IconLayoutDashboard,
    load: async () => (await import('./dashboard/Dashboard.tsx')).Dashboard,
    hiddenFromDashboard: true,
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
        icon: IconWorldWww,
        load: async () => (await import('../features/webs/WebListScreen.tsx')).WebListScreen,
        aliases: ['/hosting/webs'],
      },
      {
        name: 'hosting-web-add',
        path: '/hosting/add',
        access: websRoutes.createWeb.access,
        icon: IconPlus,
        load: async () => (await import('../features/webs/WebAddScreen.tsx')).WebAddScreen,
      },
      {
        name: 'hosting-web-edit',
        path: '/hosting/edit/:id',
        access: websRoutes.editWeb.access,
        icon: IconPencil,
        load: async () => (await import('../features/webs/WebEditScreen.tsx')).WebEditScreen,
        hiddenFromSidebar: true,
        hiddenFromDashboard: true,
      },
    ],
  },
  {
    name: 'user-settings',
    path: '/settings',
    access: usersRoutes.editUser.access,
    icon: IconSettings,
    load: async () => (await import('../features/users/SettingsScreen.tsx')).SettingsScreen,
    hiddenFromSidebar: true,
    hiddenFromDashboard: true,
  },
]
