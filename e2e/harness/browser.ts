import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

/** The programs on the PATH with a name of Chromium, in order of preference. */
export const systemBrowsers = (): string[] =>
  onPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable')

/**
 * Chromiums on the PATH that lack the browser's windows, which take a third of the processor time of these tests. They have
 * no back/forward cache either.
 */
export const headlessShells = (): string[] => onPath('chromium-headless-shell')

function onPath(...names: readonly string[]): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const programs = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return programs.filter((program) => existsSync(program))
}

/** The path of Playwright's own Chromium, whether it is downloaded or not. */
export const downloadedBrowser = (): string => chromium.executablePath()

/** The browser named by the environment. */
export const namedBrowser = (): string | undefined =>
  process.env.KUSTOS_BROWSER || process.env.PLAYWRIGHT_CHROMIUM || undefined

/** A whole Chromium: the named one, else the system's, else Playwright's own. */
export const wholeBrowserPath = (): string => namedBrowser() ?? systemBrowsers()[0] ?? downloadedBrowser()

/** The Chromium for most tests, a headless shell if there is one. */
export const browserPath = (): string => namedBrowser() ?? headlessShells()[0] ?? wholeBrowserPath()

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
