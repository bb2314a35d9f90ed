import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
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

/** Clock ticks a second in /proc, the same on every Linux. */
const ticks = 100

/** What a process has used so far. @returns seconds, of user and system */
export async function cpuSeconds(pid: number): Promise<number> {
  // What follows the name, which may have blanks: proc(5), fields from the third on.
  const [, fields = ''] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(/\) (?=[A-Z] )/)
  const [user, system] = fields.split(' ').slice(11, 13)
  return (Number(user) + Number(system)) / ticks
}

/** The most memory that a process has had. @returns MiB */
export async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
}

export function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('A process did not start')
  return pid
}
