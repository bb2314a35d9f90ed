import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

type Naming = typeof import('./browser-name.ts').browserName

export interface NamedBrowser {
  readonly title: string
  readonly isHandheld: boolean
}

/** Unknown user agents are cut to this length. */
const maxLength = 60

/** Names browsers by their user agent. The parser is loaded on demand; until then the user agent itself is shown. */
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
      return { title: browser ?? userAgent.slice(0, maxLength), isHandheld }
    return { title: t('settings.sessions.browserOn', { browser, system }), isHandheld }
  }
}
