import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

const cores = availableParallelism()
const pins = cores > 1 && spawnSync('taskset', ['--version']).status === 0

/** The world has the last core, who is measured the one before. */
export const core = { world: cores - 1, measured: Math.max(0, cores - 2) }

export const placed = pins
  ? `the world on core ${core.world}, clients on core ${core.measured}`
  : 'without cores of their own: there is no taskset'

/** Debian keeps servers where only root looks. */
const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }

/** @returns whether a program is installed */
export const has = (program: string): boolean =>
  spawnSync(program, ['--version'], { env: environment }).error === undefined

/** Starts a program on a core. */
export function start(
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
