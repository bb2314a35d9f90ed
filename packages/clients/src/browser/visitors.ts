import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { VisitorKind } from './browser.ts'

/** Of the only Chromium version that a site should see. @param version such as 142.0.7444.59 */
export function contextOptionsOf(visitor: VisitorKind, version: string): BrowserContextOptions {
  const [major = ''] = version.split('.')
  // Consent managers and trackers treat robots differently.
  const agent = (system: string, mobile = '') =>
    `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 ${mobile}Safari/537.36`
  const desktop = {
    userAgent: agent('X11; Linux x86_64'),
    // Also the header Accept-Language and `navigator.languages`.
    locale: 'de-DE',
    timezoneId: 'Europe/Rome',
    viewport: { width: 1366, height: 900 },
  }
  if (visitor === 'english_mobile')
    return {
      ...desktop,
      userAgent: agent('Linux; Android 10; K', 'Mobile '),
      locale: 'en-US',
      viewport: { width: 390, height: 844 },
      deviceScaleFactor: 2,
      isMobile: true,
      hasTouch: true,
    }
  // Neither needs a preflight request: scripts may not set these headers.
  if (visitor === 'privacy_signals') return { ...desktop, extraHTTPHeaders: { DNT: '1', 'Sec-GPC': '1' } }
  return desktop
}

/** Tells a context's pages what the visitor's headers tell servers. */
export async function signalPrivacy(context: BrowserContext, visitor: VisitorKind): Promise<void> {
  if (visitor === 'privacy_signals') await context.addInitScript(setSignals)
}

/** Runs within each frame, without access to this module. */
function setSignals(): void {
  const { prototype } = (globalThis as unknown as { readonly Navigator: { readonly prototype: object } })
    .Navigator
  const signals = { globalPrivacyControl: true, doNotTrack: '1' }
  for (const [name, value] of Object.entries(signals))
    Object.defineProperty(prototype, name, { get: () => value, configurable: true, enumerable: true })
}

/** Files that are large and of which a page only plays. They count as requested nevertheless. */
const mediaFiles = ['mp4', 'm4v', 'webm', 'mov', 'ogv', 'mp3', 'm4a', 'wav'].flatMap((ending) => [
  `*.${ending}`,
  `*.${ending}?*`,
])

/**
 * Lets a page request films and sounds without loading them. Images and fonts are loaded: a counting pixel redirects to
 * further hosts, and where a file fails a page may request another.
 */
export async function blockMedia(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setBlockedURLs', { urls: mediaFiles })
}
