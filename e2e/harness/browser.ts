import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

/** What a system's own Chromium is called. */
export const browserNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Where Playwright puts the Chromium that it downloads, whether it is there or not. */
export const downloadedBrowser = (): string => chromium.executablePath()

/** The Chromium that the tests run in: the one named in KUSTOS_BROWSER, else the system's, else Playwright's own. */
export function browserPath(): string {
  const named = process.env.KUSTOS_BROWSER || process.env.PLAYWRIGHT_CHROMIUM
  if (named) return named
  const folders = (process.env.PATH ?? '').split(delimiter)
  const programs = browserNames.flatMap((name) => folders.map((folder) => join(folder, name)))
  return programs.find((program) => existsSync(program)) ?? downloadedBrowser()
}

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
