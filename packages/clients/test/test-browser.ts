import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installedBrowser } from '../src/browser/index.ts'

/**
 * The Chromium for most tests: one without the browser's windows if it is installed, which takes a third of the processor time.
 * With KUSTOS_WHOLE_BROWSER a whole one, as in production. Null if there is none.
 */
export function findTestBrowser(): Promise<string | null> {
  const shell = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'chromium-headless-shell'))
    .find((program) => existsSync(program))
  const isShell = shell !== undefined && !process.env.KUSTOS_WHOLE_BROWSER
  return installedBrowser({ ...process.env, ...(isShell && { KUSTOS_BROWSER: shell }) })
}
