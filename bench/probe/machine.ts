import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

const cores = availableParallelism()
const pins = cores > 1 && spawnSync('taskset', ['--version']).status === 0

/** The targets run on the last core, the candidate on the one before. */
export const core = { targets: cores - 1, measured: Math.max(0, cores - 2) }

export const placement = pins
  ? `targets on core ${core.targets}, candidates on core ${core.measured}`
  : 'not pinned to cores: taskset is missing'

/** Debian installs servers in /usr/sbin, which is not on every user's PATH. */
const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }

export const isInstalled = (program: string): boolean =>
  spawnSync(program, ['--version'], { env: environment }).error === undefined

export function startOnCore(
  on: number,
  [program = '', ...rest]: readonly string[],
  { env = {}, channel = false }: { env?: Record<string, string>; channel?: boolean } = {},
): ChildProcess {
  const [command = '', ...argv] = pins ? ['taskset', '-c', String(on), program, ...rest] : [program, ...rest]
  return spawn(command, argv, {
    env: { ...environment, ...env },
    stdio: ['ignore', 'ignore', 'inherit', ...(channel ? ['ipc' as const] : [])],
  })
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill()
  await ended
}
