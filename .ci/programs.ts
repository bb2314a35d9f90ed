import { existsSync } from 'node:fs'
import { command } from './command.ts'
import { installPackages, mayInstall } from './debian.ts'
import { type Outcome, pass } from './gate.ts'

/** Programs that tests use if they are installed, by Debian package. Without the servers and git, tests are skipped. */
const programs = [
  { package: 'redis-server', isInstalled: () => starts('redis-server') },
  { package: 'openssh-server', isInstalled: async () => existsSync('/usr/sbin/sshd') },
  { package: 'git', isInstalled: () => starts('git') },
  // The end-to-end tests take longer in another Chromium.
  { package: 'chromium-headless-shell', isInstalled: () => starts('chromium-headless-shell') },
]

/** Installs the missing programs as root on Debian; elsewhere it passes and says what is missing. */
export async function installPrograms(): Promise<Outcome> {
  const missing: string[] = []
  for (const program of programs) {
    if (!(await program.isInstalled())) missing.push(program.package)
  }
  if (missing.length === 0) return pass
  const failure = (await mayInstall())
    ? await installPackages(missing)
    : 'only root on Debian can install them'
  return failure === null ? pass : { ...pass, output: `missing: ${missing.join(', ')} (${failure})` }
}

const starts = async (program: string) => (await command(program, ['--version'], { seconds: 20 })).ok
