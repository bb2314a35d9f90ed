import { getParser } from 'bowser'

export interface BrowserName {
  /** E.g. "Firefox 131"; null if unknown. */
  readonly browser: string | null
  /** E.g. "Windows". */
  readonly system: string | null
  readonly isHandheld: boolean
}

export function browserName(userAgent: string): BrowserName {
  if (userAgent === '') return { browser: null, system: null, isHandheld: false }
  const parser = getParser(userAgent)
  const { name, version } = parser.getBrowser()
  const major = version?.split('.')[0]
  const platform = parser.getPlatformType(true)
  return {
    browser: name ? [name, major].filter(Boolean).join(' ') : null,
    system: parser.getOSName() || null,
    isHandheld: platform === 'mobile' || platform === 'tablet',
  }
}
