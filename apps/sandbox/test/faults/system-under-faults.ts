import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type OpenDatabase, openDatabase } from '@kustos/database/client'
import { paths } from '../../src/paths.ts'
import { dataFolder, end, freePort, pidOf, processesOf, type Sandbox, startSandbox } from '../system.ts'
import { type Journal, openJournal } from './journal.ts'
import { type RedisProgram, startRedis } from './redis-program.ts'

export type Program = 'api' | 'worker' | 'second worker' | 'postgres' | 'redis'

export interface SystemUnderFaults {
  readonly url: string
  readonly folder: string
  readonly database: OpenDatabase
  readonly databaseUrl: string
  readonly redisUrl: string | undefined
  readonly journal: Journal
  readonly programs: readonly Program[]
  readonly sandbox: Sandbox
  /** Of those that have to outlive Postgres and Redis. */
  pids(): Promise<ReadonlyMap<Program, number | undefined>>
  /** Ends a program, which is started again at once. @returns when another one of its kind runs */
  kill(program: Program, signal: NodeJS.Signals): Promise<void>
  stop(): Promise<void>
}

/** The sandbox with a second worker, and with a Redis of its own where the jobs are to be there. */
export async function startSystem(backend: 'postgres' | 'redis'): Promise<SystemUnderFaults> {
  const folder = await dataFolder()
  const redis: RedisProgram | null = backend === 'redis' ? await startRedis() : null
  const journal = await openJournal(join(folder.path, 'journal'))
  const port = await freePort()
  const sandbox = await startSandbox({
    PORT: port,
    HOST: '127.0.0.1',
    KUSTOS_DATA_DIR: folder.path,
    KUSTOS_SANDBOX_WEBS: '60',
    PROBE_INTERVAL: '10',
    RECIPES_FILE: journal.recipesFile,
    // A browser for each of many audits would measure the browser.
    TRACKING_BROWSER: '',
    REDIS_URL: redis?.url ?? '',
  })
  const environment = await environmentOf((await pidOf(folder.path, 'worker')) ?? 0)
  const databaseUrl = environment.DATABASE_URL ?? ''
  const second = keepWorker(environment, join(folder.path, 'logs/second-worker.log'))
  const database = openDatabase(databaseUrl, { max: 3, name: 'kustos-faults', asLogin: true })
  const find = async (program: 'api' | 'worker' | 'postgres') =>
    (await processesOf(folder.path)).find((one) => one.program === program && one.pid !== second.pid())?.pid
  return {
    url: sandbox.url,
    folder: folder.path,
    database,
    databaseUrl,
    redisUrl: redis?.url,
    journal,
    programs: ['api', 'worker', 'second worker', 'postgres', ...(redis ? (['redis'] as const) : [])],
    sandbox,
    pids: async () =>
      new Map<Program, number | undefined>([
        ['api', await find('api')],
        ['worker', await find('worker')],
        ['second worker', second.pid()],
      ]),
    async kill(program, signal) {
      if (program === 'redis') return redis?.kill(signal)
      if (program === 'second worker') return second.kill(signal)
      let pid = await find(program)
      while (pid === undefined) {
        // It is on its way from the time before.
        await sleep(50)
        pid = await find(program)
      }
      // SIGTERM has Postgres wait for its clients; SIGINT is the end that an operator gives it.
      process.kill(pid, program === 'postgres' && signal === 'SIGTERM' ? 'SIGINT' : signal)
      for (let next: number | undefined = pid; next === undefined || next === pid; next = await find(program))
        await sleep(20)
    },
    async stop() {
      await database.close()
      await second.stop()
      await end(sandbox, 'SIGTERM')
      await redis?.stop()
      await folder.remove()
    },
  }
}

async function environmentOf(pid: number): Promise<Record<string, string>> {
  const text = await readFile(`/proc/${pid}/environ`, 'utf8')
  return Object.fromEntries(
    text.split('\0').flatMap((pair) => {
      const at = pair.indexOf('=')
      return at > 0 && !pair.startsWith('NODE_CHANNEL') ? [[pair.slice(0, at), pair.slice(at + 1)]] : []
    }),
  )
}

/** A worker beside the sandbox's own, started again whenever it ends. */
function keepWorker(env: Record<string, string>, logFile: string) {
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
