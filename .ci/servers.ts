import { existsSync } from 'node:fs'
import { command } from './command.ts'
import { installPackages, mayInstall } from './debian.ts'
import { type Outcome, pass } from './gate.ts'

/** Programs that tests use if they are installed, by Debian package. The tests that need a missing one are skipped. */
const servers = [
  { package: 'redis-server', isInstalled: () => starts('redis-server') },
  { package: 'openssh-server', isInstalled: async () => existsSync('/usr/sbin/sshd') },
  { package: 'git', isInstalled: () => starts('git') },
]

/** Installs the missing programs as root on Debian; elsewhere it passes and says what is missing. */
export async function installServers(): Promise<Outcome> {
  const missing: string[] = []
  for (const server of servers) {
    if (!(await server.isInstalled())) missing.push(server.package)
  }
  if (missing.length === 0) return pass
  const failure = (await mayInstall())
    ? await installPackages(missing)
    : 'only root on Debian can install them'
  return failure === null ? pass : { ...pass, output: `missing: ${missing.join(', ')} (${failure})` }
}

const starts = async (program: string) => (await command(program, ['--version'], { seconds: 20 })).ok
