import { readFile } from 'node:fs/promises'
import { command, findErrorLine } from './command.ts'

/** Whether packages can be installed with apt-get: as root on Debian. */
export async function mayInstall(): Promise<boolean> {
  if (process.getuid?.() !== 0) return false
  try {
    return /^ID=debian$/m.test(await readFile('/etc/os-release', 'utf8'))
  } catch {
    // Not a Linux with an os-release file.
    return false
  }
}

/** @returns the reason of a failure; null if the packages are installed */
export async function installPackages(packages: readonly string[]): Promise<string | null> {
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const update = await command('apt-get', ['update', '-q'], { env, seconds: 120 })
  if (!update.ok) return findErrorLine(update.output)
  const install = await command('apt-get', ['install', '-q', '-y', '--no-install-recommends', ...packages], {
    env,
    seconds: 300,
  })
  return install.ok ? null : findErrorLine(install.output)
}
