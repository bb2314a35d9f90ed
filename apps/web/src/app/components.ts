import type { ComponentType } from 'react'
import type { ScreenName } from './screens.ts'

/** What each screen shows, loaded when somebody goes there. */
export const components: Readonly<Record<ScreenName, () => Promise<ComponentType>>> = {
  home: async () => (await import('./dashboard/Dashboard.tsx')).Dashboard,
  'hosting-web-list': async () => (await import('../features/webs/WebListScreen.tsx')).WebListScreen,
  'hosting-web-add': async () => (await import('../features/webs/WebAddScreen.tsx')).WebAddScreen,
  'hosting-web-edit': async () => (await import('../features/webs/WebEditScreen.tsx')).WebEditScreen,
  'user-settings': async () => (await import('../features/users/SettingsScreen.tsx')).SettingsScreen,
}
