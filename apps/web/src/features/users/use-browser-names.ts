import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

type Naming = typeof import('./browser-name.ts').browserName

/** A browser's name as a line, and whether it is one that is held in a hand. */
export interface NamedBrowser {
  readonly title: string
  readonly isHandheld: boolean
}

/** Of what calls itself something unknown, so much is shown. */
const mostLetters = 60

/** Names browsers by what they call themselves. What knows how is loaded meanwhile: until then they stand as that. */
export function useBrowserNames(): (userAgent: string | null) => NamedBrowser {
  const { t } = useTranslation()
  const [naming, setNaming] = useState<{ readonly of: Naming }>()
  useEffect(() => {
    let isWanted = true
    void import('./browser-name.ts').then(({ browserName }) => isWanted && setNaming({ of: browserName }))
    return () => {
      isWanted = false
    }
  }, [])
  return (userAgent) => {
    const unknown = t('settings.sessions.unknownBrowser')
    if (userAgent === null || userAgent === '') return { title: unknown, isHandheld: false }
    const { browser = null, system = null, isHandheld = false } = naming?.of(userAgent) ?? {}
    if (browser === null || system === null)
      return { title: browser ?? userAgent.slice(0, mostLetters), isHandheld }
    return { title: t('settings.sessions.browserOn', { browser, system }), isHandheld }
  }
}
