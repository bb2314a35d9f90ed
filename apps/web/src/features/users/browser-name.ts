import { getParser } from 'bowser'

/** A browser as staff would name it. */
export interface BrowserName {
  /** Such as "Firefox 131"; null where it calls itself nothing that is known. */
  readonly browser: string | null
  /** Such as "Windows". */
  readonly system: string | null
  readonly isHandheld: boolean
}

/** @param userAgent what the browser called itself, whatever it is */
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
