import { IconLanguage, IconLogout } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { chooseLanguage, currentLanguage, languages } from '../../platform/i18n.ts'
import de from '../../platform/messages/de/palette.json' with { type: 'json' }
import { palette as en } from '../../platform/messages/en/palette.ts'
import { useOtherScheme } from '../shell/use-other-scheme.ts'
import { useSignOut } from '../shell/use-sign-out.ts'
import { findableAction } from './destinations.ts'
import { iconOf, type PaletteEntry } from './entry.tsx'
import type { Findable } from './search.ts'

/** Each language is named in its own words. */
const languageLabels = { en: en.language, de: de.language }

type Run = (work: () => void) => void

/** What can be done from anywhere. @param run closes the palette, then does the work */
export function useGeneralActions(run: Run): readonly Findable<PaletteEntry>[] {
  const { t } = useTranslation()
  const scheme = useOtherScheme()
  const signOut = useSignOut()
  const others = languages.filter((language) => language !== currentLanguage())
  return [
    findableAction(
      {
        key: 'scheme',
        label: t(scheme.label),
        icon: iconOf(scheme.icon),
        choose: () => run(scheme.turn),
      },
      'scheme',
      t(scheme.label),
    ),
    ...others.map((language) =>
      findableAction(
        {
          key: language,
          label: languageLabels[language],
          icon: iconOf(IconLanguage),
          choose: () => run(() => void chooseLanguage(language)),
        },
        'language',
        languageLabels[language],
      ),
    ),
    findableAction(
      {
        key: 'logout',
        label: t('shell.logout'),
        icon: iconOf(IconLogout),
        choose: () => run(() => void signOut()),
      },
      'logout',
      t('shell.logout'),
    ),
  ]
}
