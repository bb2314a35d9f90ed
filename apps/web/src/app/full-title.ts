import i18next from 'i18next'
import type { Messages } from './messages/en/index.ts'
import type { ScreenName } from './screens.ts'

type TabName = keyof Messages['tabs']

const tabs: Readonly<Record<TabName, true>> = {
  'hosting-web-add': true,
  'limitis-externaldomains-add': true,
  'admin-user-management-add': true,
}
const hasOwn = (screen: ScreenName): screen is TabName => screen in tabs

/** What a screen is called where the group that it stands in is not seen. */
export const fullTitle = (screen: ScreenName): string =>
  hasOwn(screen) ? i18next.t(`tabs.${screen}`) : i18next.t(`screens.${screen}.title`)
