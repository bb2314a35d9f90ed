import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'

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
