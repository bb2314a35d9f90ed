import { existsSync } from 'node:fs'
import { command } from './command.ts'
import { installPackages, mayInstall } from './debian.ts'
import { type Outcome, pass } from './gate.ts'

/** What the tests use where it is there, by Debian's package: the tests that need a missing one are skipped. */
const servers = [
  { package: 'redis-server', isThere: () => starts('redis-server') },
  { package: 'openssh-server', isThere: async () => existsSync('/usr/sbin/sshd') },
  { package: 'git', isThere: () => starts('git') },
]

/** Installs the servers of the tests where it may. */
export async function installServers(): Promise<Outcome> {
  const missing: string[] = []
  for (const server of servers) {
    if (!(await server.isThere())) missing.push(server.package)
  }
  if (missing.length === 0) return pass
  const failure = (await mayInstall()) ? await installPackages(missing) : 'this takes root, on Debian'
  if (failure !== null) process.stdout.write(`(${missing.join(', ')} missing: ${failure}) `)
  return pass
}

const starts = async (program: string) => (await command(program, ['--version'], { seconds: 20 })).ok
