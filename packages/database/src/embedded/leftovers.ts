import { execFile } from 'node:child_process'
import { readFile, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Account, asAccount, findAccount } from './account.ts'

const run = promisify(execFile)

/**
 * Ends what a predecessor that was killed has left running in this folder: a postmaster, its orphaned children, an
 * initdb. Postgres itself would refuse to start beside them. Whoever calls must know that no living owner is left.
 *
 * @param folder holds `data`, and is the working folder of initdb
 */
export async function endLeftovers(folder: string): Promise<void> {
  const account = await findAccount()
  const data = join(folder, 'data')
  const postmaster = await postmasterOf(data)
  const left = () => processesIn(folder, data, account)
  if ((await left()).length > 0) {
    for (const [signal, patience] of [
      ['SIGINT', 8_000],
      ['SIGQUIT', 2_000],
      ['SIGKILL', 2_000],
    ] as const) {
      const pids = await left()
      // A fast shutdown is asked of the postmaster alone; without one its children are beyond order.
      const order = signal === 'SIGINT' ? pids.filter((pid) => pid === postmaster) : pids
      for (const pid of order) end(pid, signal)
      if (order.length > 0 && (await until(async () => (await left()).length === 0, patience))) break
    }
    if ((await left()).length > 0) throw new Error(`Another Postgres runs in ${data} and does not end.`)
  }
  // Its number may belong to somebody else by now, which Postgres would take for a rival.
  if (postmaster !== null) await rm(join(data, 'postmaster.pid'), { force: true })
}

/** @returns the number in postmaster.pid, whoever has it today */
async function postmasterOf(data: string): Promise<number | null> {
  try {
    const [pid] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')
    return Number(pid) || null
  } catch {
    return null
  }
}

async function processesIn(folder: string, data: string, account: Account | null): Promise<number[]> {
  if (process.platform === 'linux') return processesByWorkingFolder(folder, account)
  const pid = await postmasterOf(data)
  if (pid === null) return []
  try {
    const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)])
    return stdout.includes(data) ? [pid] : []
  } catch {
    // ps knows no such process.
    return []
  }
}

/**
 * Every process of Postgres works in its data folder, and no other process of that name does. The account itself has
 * to look: in a container root may not see where the processes of others work.
 */
async function processesByWorkingFolder(folder: string, account: Account | null): Promise<number[]> {
  const home = await realpath(folder)
  const script = 'ls -l /proc/[0-9]*/cwd 2>/dev/null || true'
  const { file, args, ...identity } = await asAccount(
    account,
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
    // It has ended meanwhile.
    return false
  }
}

function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}

async function until(condition: () => Promise<boolean>, patience: number): Promise<boolean> {
  const deadline = Date.now() + patience
  while (Date.now() < deadline) {
    if (await condition()) return true
    await sleep(25)
  }
  return false
}
