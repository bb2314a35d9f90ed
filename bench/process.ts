import type { ChildProcess } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'

/** Clock ticks per second in /proc, the same on every Linux. */
const ticksPerSecond = 100

/** @returns the user and system seconds that a process has used so far */
export async function cpuSeconds(pid: number): Promise<number> {
  // proc(5): the fields after the name, which may contain spaces.
  const [, fields = ''] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(/\) (?=[A-Z] )/)
  const [user, system] = fields.split(' ').slice(11, 13)
  return (Number(user) + Number(system)) / ticksPerSecond
}

/** @returns the peak memory of a process in MiB */
export async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
}

/** From now on `peakMemory` knows only what follows: proc(5), clear_refs. */
export const resetPeakMemory = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5')

export function requirePid({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('A process did not start')
  return pid
}
