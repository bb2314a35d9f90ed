import { chromium } from '@playwright/test'

/** Where Playwright puts the Chromium that it downloads, whether it is there or not. */
export const downloadedBrowser = (): string => chromium.executablePath()

/** The Chromium that the tests run in: the one named in KUSTOS_BROWSER, else Playwright's own. */
export const browserPath = (): string => process.env.KUSTOS_BROWSER || downloadedBrowser()

/** For a machine without a screen, and for root, whom Chromium gives no sandbox. */
export const browserFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
