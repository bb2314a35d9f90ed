import { downloadedBrowser, namedBrowser, systemBrowsers } from '../e2e/harness/browser.ts'
import { command, findErrorLine } from './command.ts'
import { installPackages, mayInstall } from './debian.ts'

export type FoundBrowser =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly sentence: string }

/** Finds a Chromium for the tests: the system's, else Debian's package as root, else Playwright's download. */
export async function findBrowser(): Promise<FoundBrowser> {
  const named = namedBrowser()
  if (named) {
    return (await works(named))
      ? { ok: true, path: named }
      : { ok: false, sentence: `The browser that KUSTOS_BROWSER names does not start: ${named}.` }
  }
  const present = await firstThatWorks([...systemBrowsers(), downloadedBrowser()])
  if (present) return { ok: true, path: present }

  const tried: string[] = []
  if (await mayInstall()) {
    const failure = (await installPackages(['chromium', 'fonts-liberation'])) ?? 'the package does not start'
    const installed = await firstThatWorks(systemBrowsers())
    if (installed) return { ok: true, path: installed }
    tried.push(`apt-get: ${failure}`)
  }
  // Only root can install the libraries that it needs.
  const flags = process.getuid?.() === 0 ? ['--with-deps'] : []
  const download = await command('e2e/node_modules/.bin/playwright', ['install', ...flags, 'chromium'], {
    seconds: 240,
  })
  const downloaded = await firstThatWorks([downloadedBrowser()])
  if (downloaded) return { ok: true, path: downloaded }
  tried.push(`Playwright's download: ${findErrorLine(download.output)}`)
  return {
    ok: false,
    sentence: `There is no Chromium, and none could be installed (${tried.join('; ')}): install one, or name one in KUSTOS_BROWSER.`,
  }
}

/** Whether the program starts: Ubuntu's `chromium-browser` is a script that only asks to install a snap. */
async function works(path: string): Promise<boolean> {
  const { ok, output } = await command(path, ['--version'], { seconds: 20 })
  return ok && /\d+\.\d+/.test(output)
}

async function firstThatWorks(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    if (await works(path)) return path
  }
  return null
}
