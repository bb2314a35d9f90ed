import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The programs on the PATH with a name of Chromium, in order of preference. */
export function systemBrowsers(): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const programs = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return programs.filter((program) => existsSync(program))
}

/** The path of Playwright's own Chromium, whether it is downloaded or not. */
export const downloadedBrowser = (): string => chromium.executablePath()

/** The browser named by the environment. */
export const namedBrowser = (): string | undefined =>
  process.env.KUSTOS_BROWSER || process.env.PLAYWRIGHT_CHROMIUM || undefined

/** The Chromium for the tests: the named one, else the system's, else Playwright's own. */
export const browserPath = (): string => namedBrowser() ?? systemBrowsers()[0] ?? downloadedBrowser()

/** For machines without a display, and for root, for whom Chromium's sandbox does not work. */
export const browserFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
