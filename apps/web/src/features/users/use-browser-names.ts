import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadCode } from '../../platform/load-code.ts'
import { notifyFailed } from '../../ui/notify.tsx'

export interface NamedBrowser {
  readonly title: string
  readonly isHandheld: boolean
}

/** Unknown user agents are cut to this length. */
const maxLength = 60

/** Names browsers by their user agent. The parser is loaded on demand; until then the user agent itself is shown. */
export function useBrowserNames(): (userAgent: string | null) => NamedBrowser {
  const { t } = useTranslation()
  const [parser, setParser] = useState<typeof import('./browser-name.ts')>()
  useEffect(() => {
    loadCode(() => import('./browser-name.ts')).then(setParser, (error) =>
      notifyFailed(t('settings.sessions.title'), error),
    )
  }, [t])
  return (userAgent) => {
    const unknown = t('settings.sessions.unknownBrowser')
    if (userAgent === null || userAgent === '') return { title: unknown, isHandheld: false }
    const { browser = null, system = null, isHandheld = false } = parser?.browserName(userAgent) ?? {}
    if (browser === null || system === null)
      return { title: browser ?? userAgent.slice(0, maxLength), isHandheld }
    return { title: t('settings.sessions.browserOn', { browser, system }), isHandheld }
  }
}
