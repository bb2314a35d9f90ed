import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type OpenDatabase, openDatabase } from '@kustos/database/client'
import { paths } from '../../src/paths.ts'
import { createDataFolder, findPid, freePort, listProcesses, startSandbox, stopSandbox } from '../system.ts'
import { type Backend, startBackend } from './backends.ts'
import { type Journal, openJournal } from './journal.ts'

/** Its kind is in its name: api, worker, postgres, redis, pgbouncer or edge. */
export type Program = string

export interface SystemUnderFaults {
  readonly url: string
  readonly folder: string
  readonly database: OpenDatabase
  readonly databaseUrl: string
  readonly redisUrl: string | undefined
  readonly journal: Journal
  readonly programs: readonly Program[]
  /** Those that can be killed again right after a kill. */
  readonly restartedAtOnce: readonly Program[]
  /** Of the programs that have to survive restarts of Postgres and Redis. */
  pids(): Promise<ReadonlyMap<Program, number | undefined>>
  /** Kills a program and waits until it has been restarted. */
  kill(program: Program, signal: NodeJS.Signals): Promise<void>
  /** Stops a worker's process for a while, which then continues where it was, unless it was killed meanwhile. */
  freeze(worker: Program, durationMs: number): Promise<void>
  /**
   * Copies the logs of all programs, which `stop` removes.
   * @returns the folder
   */
  keepLogs(): Promise<string>
  stop(): Promise<void>
}

/** Starts the sandbox with a second worker, and what has the jobs. */
export async function startSystem(backend: Backend): Promise<SystemUnderFaults> {
  const folder = await createDataFolder()
  const redis = await startBackend(backend)
  const journal = await openJournal(join(folder.path, 'journal'))
  const port = await freePort()
  const sandbox = await startSandbox({
    PORT: port,
    HOST: '127.0.0.1',
    KUSTOS_DATA_DIR: folder.path,
    KUSTOS_SANDBOX_WEBS: '60',
    PROBE_INTERVAL: '10',
    RECIPES_FILE: journal.recipesFile,
    // Browsers for the many audits would use up the machine.
    TRACKING_BROWSER: '',
    REDIS_URL: redis?.url ?? '',
  })
  const environment = await readEnvironment((await findPid(folder.path, 'worker')) ?? 0)
  const databaseUrl = environment.DATABASE_URL ?? ''
  const second = startRestartingWorker(environment, join(folder.path, 'logs/second-worker.log'))
  const database = openDatabase(databaseUrl, { max: 3, name: 'kustos-faults', asLogin: true })
  const find = async (program: 'api' | 'worker' | 'postgres') =>
    (await listProcesses(folder.path)).find(
      (process) => process.program === program && process.pid !== second.pid(),
    )?.pid
  return {
    url: sandbox.url,
    folder: folder.path,
    database,
    databaseUrl,
    redisUrl: redis?.url,
    journal,
    programs: ['api', 'worker', 'second worker', 'postgres', ...(redis ? ['redis'] : [])],
    restartedAtOnce: ['second worker', ...(redis ? ['redis'] : [])],
    pids: async () =>
      new Map<Program, number | undefined>([
        ['api', await find('api')],
        ['worker', await find('worker')],
        ['second worker', second.pid()],
      ]),
    async kill(program, signal) {
      if (program === 'redis') return redis?.restart(signal)
      if (program === 'second worker') return second.kill(signal)
      const supervised = program as 'api' | 'worker' | 'postgres'
      let pid = await find(supervised)
      while (pid === undefined) {
        // It is still restarting after an earlier kill.
        await sleep(50)
        pid = await find(supervised)
      }
      // On SIGTERM, Postgres would wait for its clients; operators stop it with SIGINT.
      process.kill(pid, program === 'postgres' && signal === 'SIGTERM' ? 'SIGINT' : signal)
      for (
        let next: number | undefined = pid;
        next === undefined || next === pid;
        next = await find(supervised)
      )
        await sleep(20)
    },
    async freeze(worker, durationMs) {
      const pid = worker === 'second worker' ? second.pid() : await find('worker')
      // It is still restarting after an earlier kill.
      if (pid === undefined || !sendSignal(pid, 'SIGSTOP')) return
      await sleep(durationMs)
      sendSignal(pid, 'SIGCONT')
    },
    async keepLogs() {
      const kept = join(paths.root, 'test-results', `faults-${backend}`)
      await rm(kept, { recursive: true, force: true })
      await cp(join(folder.path, 'logs'), kept, { recursive: true })
      await writeFile(join(kept, 'sandbox.log'), sandbox.output())
      return kept
    },
    async stop() {
      await database.close()
      await second.stop()
      await stopSandbox(sandbox, 'SIGTERM')
      await redis?.stop()
      await folder.remove()
    },
  }
}

/** @returns false if there is no such process any more */
function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

async function readEnvironment(pid: number): Promise<Record<string, string>> {
  const text = await readFile(`/proc/${pid}/environ`, 'utf8')
  return Object.fromEntries(
    text.split('\0').flatMap((pair) => {
      const at = pair.indexOf('=')
      return at > 0 && !pair.startsWith('NODE_CHANNEL') ? [[pair.slice(0, at), pair.slice(at + 1)]] : []
    }),
  )
}

/** A worker in addition to the sandbox's own, restarted whenever it exits. */
function startRestartingWorker(env: Record<string, string>, logFile: string) {
  const log = createWriteStream(logFile, { flags: 'a' })
  let isOn = true
  const start = (): ChildProcess => {
    const child = spawn(process.execPath, ['--max-semi-space-size=8', paths.worker], {
      cwd: paths.root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout?.pipe(log, { end: false })
    child.stderr?.pipe(log, { end: false })
    child.once('exit', () => {
      setTimeout(() => {
        if (isOn) current = start()
      }, 100)
    })
    return child
  }
  let current = start()
  return {
    pid: () => current.pid,
    async kill(signal: NodeJS.Signals) {
      const before = current
      before.kill(signal)
      while (current === before) await sleep(20)
    },
    async stop() {
      isOn = false
      if (current.exitCode !== null || current.signalCode !== null) return
      const exited = once(current, 'exit')
      current.kill('SIGKILL')
      await exited
      log.end()
    },
  }
}
