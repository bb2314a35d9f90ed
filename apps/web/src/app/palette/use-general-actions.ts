import { type Icon, IconKeyboard, IconLanguage, IconLogout } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { chooseLanguage, currentLanguage, languages } from '../../platform/i18n.ts'
import de from '../../platform/messages/de/palette.json' with { type: 'json' }
import { palette as en } from '../../platform/messages/en/palette.ts'
import { notifyFailed } from '../../ui/notify.tsx'
import { showKeys } from '../keys/keys-state.ts'
import { useSignOut } from '../shell/use-sign-out.ts'
import { useToggleColorScheme } from '../shell/use-toggle-color-scheme.ts'
import { createActionItem, type GeneralActionName } from './destinations.ts'
import type { PaletteEntry, RunAfterClose } from './entry.ts'
import type { SearchItem } from './search.ts'

/** Each language is named in its own words. */
const languageLabels = { en: en.language, de: de.language }

export function useGeneralActions(run: RunAfterClose): readonly SearchItem<PaletteEntry>[] {
  const { t } = useTranslation()
  const scheme = useToggleColorScheme()
  const signOut = useSignOut()
  const others = languages.filter((language) => language !== currentLanguage())
  const action = (name: GeneralActionName, key: string, label: string, icon: Icon, work: () => void) =>
    createActionItem({ key, label, icon, onSelect: () => run(work) }, name, label)
  return [
    action('scheme', 'scheme', t(scheme.label), scheme.icon, scheme.toggle),
    ...others.map((language) =>
      action('language', language, languageLabels[language], IconLanguage, () => {
        chooseLanguage(language).catch((error) => notifyFailed(t('settings.language'), error))
      }),
    ),
    action('keys', 'keys', t('shell.keys'), IconKeyboard, () => showKeys(true)),
    action('logout', 'logout', t('shell.logout'), IconLogout, () => void signOut()),
  ]
}
