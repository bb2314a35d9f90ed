import { execFile } from 'node:child_process'
import { readFile, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { buildUserCommand, findUnixUser, type UnixUser } from './unix-user.ts'

const run = promisify(execFile)

/**
 * Stops what a killed predecessor left running in this folder: a postmaster, its orphaned children, or initdb. PostgreSQL
 * refuses to start beside them. The caller must ensure that nobody else uses the folder.
 * @param folder contains `data` and is the working folder of initdb
 */
export async function stopStaleProcesses(folder: string): Promise<void> {
  const user = await findUnixUser()
  const data = join(folder, 'data')
  const postmaster = await readPostmasterPid(data)
  const left = () => processesIn(folder, data, user)
  if ((await left()).length > 0) {
    for (const [signal, graceMs] of [
      ['SIGINT', 8_000],
      ['SIGQUIT', 2_000],
      ['SIGKILL', 2_000],
    ] as const) {
      const pids = await left()
      // Only the postmaster can shut down its children in order.
      const targets = signal === 'SIGINT' ? pids.filter((pid) => pid === postmaster) : pids
      for (const pid of targets) end(pid, signal)
      if (targets.length > 0 && (await until(async () => (await left()).length === 0, graceMs))) break
    }
    if ((await left()).length > 0) throw new Error(`Another Postgres runs in ${data} and does not end.`)
  }
  // Another process may have this id by now, which PostgreSQL would take for a rival.
  if (postmaster !== null) await rm(join(data, 'postmaster.pid'), { force: true })
}

/** @returns the id in postmaster.pid, which another process may have by now */
async function readPostmasterPid(data: string): Promise<number | null> {
  try {
    const [pid] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')
    return Number(pid) || null
  } catch {
    return null
  }
}

async function processesIn(folder: string, data: string, user: UnixUser | null): Promise<number[]> {
  if (process.platform === 'linux') return processesByWorkingFolder(folder, user)
  const pid = await readPostmasterPid(data)
  if (pid === null) return []
  try {
    const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)])
    return stdout.includes(data) ? [pid] : []
  } catch {
    // There is no such process.
    return []
  }
}

/**
 * Every process of PostgreSQL has its data folder as working folder. The user itself has to look, because in a container root may
 * not see the working folders of other users.
 */
async function processesByWorkingFolder(folder: string, user: UnixUser | null): Promise<number[]> {
  const home = await realpath(folder)
  const script = 'ls -l /proc/[0-9]*/cwd 2>/dev/null || true'
  const { file, args, ...identity } = await buildUserCommand(
    user,
    '/bin/sh',
    ['-c', script],
    [join(home, 'data')],
  )
  const { stdout } = await run(file, args, { ...identity, cwd: '/', maxBuffer: 16 * 1024 * 1024 })
  const found: number[] = []
  for (const line of stdout.split('\n')) {
    const [, pid, place] = / \/proc\/(\d+)\/cwd -> (.*)$/.exec(line) ?? []
    if (pid === undefined || place === undefined) continue
    if ((place === home || place.startsWith(`${home}/`)) && (await isPostgres(pid))) found.push(Number(pid))
  }
  return found
}

async function isPostgres(pid: string): Promise<boolean> {
  try {
    return /^(postgres|initdb)$/.test((await readFile(`/proc/${pid}/comm`, 'utf8')).trim())
  } catch {
    // It has ended.
    return false
  }
}

function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
  }
}

async function until(condition: () => Promise<boolean>, graceMs: number): Promise<boolean> {
  const deadline = Date.now() + graceMs
  while (Date.now() < deadline) {
    if (await condition()) return true
    await sleep(25)
  }
  return false
}
