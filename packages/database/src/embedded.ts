import { type ChildProcess, spawn } from 'node:child_process'
import { open, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { asAccount, findAccount, makeFolder } from './embedded/account.ts'
import { findBinaries } from './embedded/binaries.ts'
import { type Cluster, environment, findCluster, superuser } from './embedded/cluster.ts'
import { endLeftovers } from './embedded/leftovers.ts'
import { findPort } from './embedded/port.ts'

export interface EmbeddedOptions {
  /** Belongs to this Postgres alone: holds its data, its password and, unless told otherwise, its log. */
  readonly folder: string
  /** Made where it does not exist; `kustos` unless told otherwise. */
  readonly database?: string
  /** The port to take where it is free. */
  readonly port?: number
  /** The file that Postgres appends its log to, whoever started it lives or not. */
  readonly log?: string
  /** False gives up safety against power cuts for speed. For tests; a kill -9 is survived either way. */
  readonly durable?: boolean
  /** More of postgresql.conf, over what is set here. */
  readonly settings?: Readonly<Record<string, string | number>>
}

export interface Embedded {
  /** With user and password, for the wished database. */
  readonly url: string
  readonly port: number
  /** Of the postmaster. */
  readonly pid: number
  /** A fast shutdown: sessions are ended, everything is written. Resolves once Postgres has ended. */
  stop(): Promise<void>
  /** Told once when Postgres ends without `stop`. */
  onExit(listener: (reason: string) => void): void
}

/**
 * Starts the Postgres that comes with the project. The first start in a folder makes the cluster; what a killed
 * predecessor has left running there is ended first. The caller sees to it that nobody else uses the folder.
 *
 * @throws an error whose message is a sentence for staff
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const durable = options.durable ?? true
  const folder = resolve(options.folder)
  const [binaries, account] = await Promise.all([findBinaries(), findAccount()])
  await makeFolder(folder, account)
  await endLeftovers(folder)
  const cluster = await findCluster(folder, binaries, account, durable)
  const log = resolve(options.log ?? join(folder, 'postgres.log'))

  let failure = ''
  // A port can be lost between the look and the start, and orphans of a killed postmaster may hold its memory a moment.
  for (let attempt = 0; attempt < 3; attempt++) {
    const port = await findPort(attempt === 0 ? options.port : undefined)
    const settings = { ...defaults, ...(durable ? {} : careless), ...options.settings, port }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const command = await asAccount(
      account,
      binaries.postgres,
      ['-D', cluster.data, ...flags],
      [cluster.data, binaries.root],
    )
    const { file, args, ...identity } = command
    const output = await open(log, 'a', 0o600)
    const start = (await stat(log)).size
    const child = spawn(file, args, {
      ...identity,
      cwd: cluster.data,
      env: environment,
      // A group of its own, so that Ctrl-C in a terminal does not reach it.
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    })
    const following = follow(child)
    await output.close()
    const running = await following
    const url = urlOf(port, cluster, options.database ?? 'kustos')
    if (running !== null && (await answers(running, port, cluster, options.database ?? 'kustos'))) {
      return present(running, url, port)
    }
    failure = await lastComplaint(log, start)
    await endLeftovers(folder)
  }
  throw new Error(`Postgres does not start: ${failure} (${log})`)
}

const defaults = {
  listen_addresses: '127.0.0.1',
  // A socket in a deep folder would exceed the length that systems allow.
  unix_socket_directories: '',
  cluster_name: 'kustos',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
}

const careless = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_wal_size: '512MB',
}

interface Running {
  readonly child: ChildProcess
  readonly pid: number
  ended: string | null
  readonly exit: Promise<string>
}

/** @returns null where the program could not be run at all */
function follow(child: ChildProcess): Promise<Running | null> {
  return new Promise((done) => {
    child.once('error', () => done(null))
    child.once('spawn', () => {
      const { pid } = child
      if (pid === undefined) return done(null)
      const exit = new Promise<string>((gone) => {
        child.once('exit', (code, signal) => {
          running.ended = signal === null ? `exit code ${code}` : signal
          gone(running.ended)
        })
      })
      const running: Running = { child, pid, ended: null, exit }
      done(running)
    })
  })
}

/** Waits until Postgres takes connections, a recovery included, and makes the database. */
async function answers(running: Running, port: number, cluster: Cluster, database: string): Promise<boolean> {
  const deadline = Date.now() + 60_000
  while (running.ended === null && Date.now() < deadline) {
    const client = new pg.Client({
      connectionString: urlOf(port, cluster, 'postgres'),
      connectionTimeoutMillis: 2_000,
    })
    // A connection that breaks is seen by the query that follows.
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
      if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(database)}`)
      return true
    } catch (error) {
      if (!isStarting(error)) {
        running.child.kill('SIGINT')
        await running.exit
        throw new Error(`Postgres on port ${port} refuses its own password: ${String(error)}`)
      }
      await sleep(30)
    } finally {
      // Not awaited: on a connection that never came about it would wait for good.
      client.end().catch(() => undefined)
    }
  }
  return false
}

function isStarting(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  // 57P03: cannot_connect_now. Errors without a code are pg's own, of a connection that ended or took too long.
  return code === undefined || code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === '57P03'
}

function present(running: Running, url: string, port: number): Embedded {
  let stopping: Promise<void> | null = null
  const stop = async () => {
    for (const [signal, patience] of [
      ['SIGINT', 3_000],
      ['SIGQUIT', 700],
      ['SIGKILL', 500],
    ] as const) {
      if (running.ended !== null) return
      running.child.kill(signal)
      await Promise.race([running.exit, sleep(patience, undefined, { ref: false })])
    }
  }
  return {
    url,
    port,
    pid: running.pid,
    stop: () => {
      stopping ??= stop()
      return stopping
    },
    onExit: (listener) => {
      void running.exit.then((reason) => {
        if (stopping === null) listener(reason)
      })
    },
  }
}

const urlOf = (port: number, cluster: Cluster, database: string) =>
  `postgres://${superuser}:${cluster.password}@127.0.0.1:${port}/${encodeURIComponent(database)}`

/** The last thing that Postgres deplored since `start`, a place in its log. */
async function lastComplaint(log: string, start: number): Promise<string> {
  const lines = (await readFile(log)).subarray(start).toString('utf8').split('\n')
  const complaint = lines.findLast((line) => /FATAL|PANIC|ERROR|error/.test(line)) ?? lines.findLast(Boolean)
  return complaint?.replace(/^.*?(FATAL|PANIC|ERROR):\s*/, '') ?? 'it ended without a word'
}
