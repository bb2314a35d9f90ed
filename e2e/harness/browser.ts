import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The programs on the PATH that are called as a Chromium is; the likeliest first. */
export function systemBrowsers(): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const programs = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return programs.filter((program) => existsSync(program))
}

/** Where Playwright puts the Chromium that it downloads, whether it is there or not. */
export const downloadedBrowser = (): string => chromium.executablePath()

/** The one that the environment names. */
export const namedBrowser = (): string | undefined =>
  process.env.KUSTOS_BROWSER || process.env.PLAYWRIGHT_CHROMIUM || undefined

/** The Chromium that the tests run in: the one named, else the system's, else Playwright's own. */
export const browserPath = (): string => namedBrowser() ?? systemBrowsers()[0] ?? downloadedBrowser()

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
