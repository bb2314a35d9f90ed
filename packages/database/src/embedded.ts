import { type ChildProcess, spawn } from 'node:child_process'
import { open, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findBinaries } from './embedded/binaries.ts'
import { type Cluster, environment, findCluster, superuser } from './embedded/cluster.ts'
import { findPort } from './embedded/port.ts'
import { stopStaleProcesses } from './embedded/stale-processes.ts'
import { buildUserCommand, createFolder, findUnixUser } from './embedded/unix-user.ts'

export interface EmbeddedOptions {
  /** Used by this PostgreSQL only: its data, its password and, by default, its log. */
  readonly folder: string
  /** Created if missing; `kustos` by default. */
  readonly database?: string
  /** Another one is used if it is taken. */
  readonly port?: number
  /** The log file; PostgreSQL writes it directly, so it outlives this process. */
  readonly log?: string
  /** False trades safety against power cuts for speed, for tests. A kill -9 is survived either way. */
  readonly durable?: boolean
  readonly settings?: Readonly<Record<string, string | number>>
}

export interface Embedded {
  /** Includes user, password and database. */
  readonly url: string
  readonly port: number
  readonly pid: number
  /** A fast shutdown, which ends all sessions. */
  stop(): Promise<void>
  /** Called once if PostgreSQL ends without `stop`. */
  onExit(listener: (reason: string) => void): void
}

/**
 * Starts the PostgreSQL that comes with the project. The first start creates the cluster. Processes that a killed predecessor
 * left in the folder are stopped first, so the caller must ensure that nobody else uses it.
 * @throws an error whose message is a sentence for the operator
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { database = 'kustos', durable = true } = options
  const folder = resolve(options.folder)
  const [binaries, user] = await Promise.all([findBinaries(), findUnixUser()])
  await createFolder(folder, user)
  await stopStaleProcesses(folder)
  const cluster = await findCluster(folder, binaries, user, durable)
  const log = resolve(options.log ?? join(folder, 'postgres.log'))

  let failure = ''
  // The port may have been taken since, and orphans of a killed postmaster may hold its shared memory for a moment.
  for (let attempt = 0; attempt < 3; attempt++) {
    const port = await findPort(attempt === 0 ? options.port : undefined)
    const settings = { ...defaults, ...(durable ? {} : nonDurable), ...options.settings, port }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const command = await buildUserCommand(
      user,
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
      // Its own process group, which Ctrl-C in a terminal does not reach.
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    })
    const running = observe(child)
    await output.close()
    if (running !== null && (await waitUntilReady(running, port, cluster, database)))
      return createHandle(running, urlOf(port, cluster, database), port)
    failure = await lastLogError(log, start)
    await stopStaleProcesses(folder)
  }
  throw new Error(`Postgres does not start: ${failure} (${log})`)
}

const defaults = {
  listen_addresses: '127.0.0.1',
  // The path of a socket in a deep folder would be too long.
  unix_socket_directories: '',
  cluster_name: 'kustos',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
}

const nonDurable = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_wal_size: '512MB',
}

interface Running {
  readonly child: ChildProcess
  readonly pid: number
  readonly exit: Promise<string>
}

const hasEnded = ({ child }: Running) => child.exitCode !== null || child.signalCode !== null

/** @returns null if the program could not be run */
function observe(child: ChildProcess): Running | null {
  child.once('error', () => undefined)
  const exit = new Promise<string>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`)),
  )
  return child.pid === undefined ? null : { child, pid: child.pid, exit }
}

/** Waits until PostgreSQL accepts connections, after a recovery if need be, and creates the database. */
async function waitUntilReady(
  running: Running,
  port: number,
  cluster: Cluster,
  database: string,
): Promise<boolean> {
  const deadline = Date.now() + 60_000
  while (!hasEnded(running) && Date.now() < deadline) {
    const client = new pg.Client({
      connectionString: urlOf(port, cluster, 'postgres'),
      connectionTimeoutMillis: 2_000,
    })
    // The next query reports a broken connection.
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
      // Not awaited, because it never resolves for a connection that was not established.
      client.end().catch(() => undefined)
    }
  }
  return false
}

function isStarting(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  // 57P03 is cannot_connect_now. Errors without a code are pg's own: the connection ended or timed out.
  return code === undefined || code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === '57P03'
}

function createHandle(running: Running, url: string, port: number): Embedded {
  let stopping: Promise<void> | null = null
  const stop = async () => {
    for (const [signal, graceMs] of [
      ['SIGINT', 3_000],
      ['SIGQUIT', 700],
      ['SIGKILL', 500],
    ] as const) {
      if (hasEnded(running)) return
      running.child.kill(signal)
      await Promise.race([running.exit, sleep(graceMs, undefined, { ref: false })])
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

/** The last error in the log after the byte offset `start`. */
async function lastLogError(log: string, start: number): Promise<string> {
  const lines = (await readFile(log)).subarray(start).toString('utf8').split('\n')
  const message = lines.findLast((line) => /FATAL|PANIC|ERROR|error/.test(line)) ?? lines.findLast(Boolean)
  return message?.replace(/^.*?(FATAL|PANIC|ERROR):\s*/, '') ?? 'it ended without a message'
}
