import { getParser } from 'bowser'

/** @returns names such as "Firefox 131" and "Windows"; null if unknown */
export function browserName(userAgent: string) {
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
