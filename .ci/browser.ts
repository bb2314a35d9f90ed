import { readFile } from 'node:fs/promises'
import { downloadedBrowser, namedBrowser, systemBrowsers } from '../e2e/harness/browser.ts'
import { command } from './command.ts'

export type FoundBrowser =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly sentence: string }

/** A Chromium for the end-to-end tests: the system's, else Debian's package as root, else Playwright's own download. */
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
    const failure = await installPackage()
    const installed = await firstThatWorks(systemBrowsers())
    if (installed) return { ok: true, path: installed }
    tried.push(`apt-get: ${failure}`)
  }
  // The libraries that it needs can be installed by root alone.
  const flags = process.getuid?.() === 0 ? ['--with-deps'] : []
  const download = await command('e2e/node_modules/.bin/playwright', ['install', ...flags, 'chromium'], {
    seconds: 240,
  })
  const downloaded = await firstThatWorks([downloadedBrowser()])
  if (downloaded) return { ok: true, path: downloaded }
  tried.push(`Playwright's download: ${complaintOf(download.output)}`)
  return {
    ok: false,
    sentence: `There is no Chromium, and none could be had (${tried.join('; ')}): install one, or name one in KUSTOS_BROWSER.`,
  }
}

/** Ubuntu's `chromium-browser` is a script that tells one to install a snap, so being there is not enough. */
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

async function mayInstall(): Promise<boolean> {
  if (process.getuid?.() !== 0) return false
  try {
    return /^ID=debian$/m.test(await readFile('/etc/os-release', 'utf8'))
  } catch {
    // Not a Linux that says what it is.
    return false
  }
}

/** @returns what went wrong, if anything did */
async function installPackage(): Promise<string> {
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const update = await command('apt-get', ['update', '-q'], { env, seconds: 120 })
  if (!update.ok) return complaintOf(update.output)
  const packages = ['chromium', 'fonts-liberation']
  const install = await command('apt-get', ['install', '-q', '-y', '--no-install-recommends', ...packages], {
    env,
    seconds: 300,
  })
  return install.ok ? 'the package does not start' : complaintOf(install.output)
}

/** The line that says what went wrong; a program's last words are often a stack. */
function complaintOf(output: string): string {
  const lines = output.split('\n').map((line) => line.trim())
  const complaint = lines.find((line) => /error|fail|unable|denied|not found/i.test(line))
  return complaint ?? lines.findLast((line) => line !== '') ?? 'no reason given'
}
