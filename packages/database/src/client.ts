import { Socket } from 'node:net'
import { DrizzleQueryError } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { applicationRole } from './application-role.ts'
import { keepAlive } from './keep-alive.ts'
import { storableParameters } from './storable-text.ts'
import * as tables from './tables/index.ts'

export type Database = NodePgDatabase<typeof tables>
/** A transaction, or the database itself for a single statement. */
export type Transaction = Pick<
  Database,
  'select' | 'insert' | 'update' | 'delete' | 'execute' | 'query' | '$with' | '$count'
>

export interface OpenDatabase {
  readonly db: Database
  readonly pool: pg.Pool
  /** Whether its connections lead to a pooler. */
  readonly isPooled: boolean
  /** Waits for running queries. */
  close(): Promise<void>
}

export interface OpenOptions {
  readonly max?: number
  /** Works as the login itself instead of the application's role, to prepare a database. */
  readonly asLogin?: boolean
  /** The URL is that of a pooler, whose sessions have their settings from the login (findPoolerProblem). */
  readonly isPooled?: boolean
  /** Shown in pg_stat_activity. */
  readonly name?: string
  /** For tests. By default longer than the server lets any statement or transaction be silent. */
  readonly maxSilenceMs?: number
  /** Called when a connection breaks, possibly more than once. The pool opens another. */
  readonly onConnectionLost?: (error: Error) => void
}

/**
 * The border at which text of other systems (probes, pages, name servers, Plesk, Bitbucket, nodes …) enters the database: one
 * character that Postgres refuses would fail its statement whenever it is repeated. Columns of JSON do the same
 * (tables/columns.ts).
 */
class StorableTextClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the method has many signatures, all with the values as the second argument
  override query(...[statement, ...parameters]: any[]): any {
    return Reflect.apply(super.query, this, [statement, ...parameters.map(storableParameters)])
  }
}

type ConnectCallback = Parameters<pg.Pool['connect']>[0]

const exhaustedMessage = 'all connections of the pool are in use'

/**
 * Tells waiting for a connection that others use from waiting for one that is being opened: pg-pool fails both with the same error
 * after the same time.
 */
class DatabasePool extends pg.Pool {
  #inUse = 0

  constructor(config: pg.PoolConfig) {
    super(config)
    this.on('acquire', () => void this.#inUse++)
    this.on('release', () => void this.#inUse--)
  }

  // pg-pool's own `query` passes a callback.
  override connect(): Promise<pg.PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    if (callback) {
      super.connect((error, ...rest) => callback(error && this.#explain(error), ...rest))
      return undefined
    }
    return super.connect().catch((error: Error) => {
      throw this.#explain(error)
    })
  }

  #explain(error: Error): Error {
    const isExhausted = waitMessage.test(error.message) && this.#inUse >= this.options.max
    return isExhausted ? new Error(exhaustedMessage, { cause: error }) : error
  }
}

/** Those of each session of the application, as Postgres spells their values. */
export const sessionSettings = {
  role: applicationRole,
  timezone: 'UTC',
  // Exports and the large list take less than a second.
  statement_timeout: '30s',
  idle_in_transaction_session_timeout: '1min',
} as const

/** For the start of a connection, which costs no query. */
function startupOptions(asLogin: boolean): string {
  const { role, ...ofLogin } = sessionSettings
  return Object.entries(asLogin ? ofLogin : { role, ...ofLogin })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

/** Longer than `sessionSettings` let a statement take or a transaction wait. */
const defaultMaxSilenceMs = 65_000

/**
 * A socket that fails once nothing has been sent or received for that long. `keepAlive` notices neither a server that is frozen,
 * whose system still responds, nor one that vanishes while a statement is being sent: the system keeps sending it for 15 minutes.
 * The pool closes unused connections earlier.
 */
function openSocket(maxSilenceMs: number): Socket {
  const socket = new Socket()
  const silent = () => Object.assign(new Error('the database does not respond'), { code: 'ETIMEDOUT' })
  return socket.setTimeout(maxSilenceMs, () => socket.destroy(silent()))
}

/** Opens a pool; the first connection is made with the first query. */
export function openDatabase(url: string, options: OpenOptions = {}): OpenDatabase {
  const { isPooled = false, asLogin = false, maxSilenceMs = defaultMaxSilenceMs } = options
  const pool = new DatabasePool({
    Client: StorableTextClient,
    connectionString: url,
    max: options.max ?? 10,
    application_name: options.name ?? 'kustos',
    connectionTimeoutMillis: 5_000,
    stream: () => openSocket(maxSilenceMs),
    ...keepAlive,
    // PgBouncer refuses startup options.
    ...(!isPooled && { options: startupOptions(asLogin) }),
  })
  const lost = (error: Error) => options.onConnectionLost?.(error)
  pool.on('error', lost)
  // The pool handles errors of idle connections only. One lost inside a transaction would end the process.
  pool.on('connect', (client) => client.on('error', lost))
  return { db: drizzle(pool, { schema: tables }), pool, isPooled, close: () => pool.end() }
}

/**
 * Refused or broken connections, a server that starts or stops (SQLSTATE classes 08 and 57P), and one that takes no writes (25006),
 * as while a standby takes over, or where a provider stops writes before the disk is full.
 */
const away = /^(ECONN\w+|EPIPE|ETIMEDOUT|08\w{3}|57P0\d|25006)$/
/** pg-pool's, of one that waits for a connection. */
const waitMessage = /timeout exceeded when trying to connect/
const awayMessage = new RegExp(
  `Connection terminated|${waitMessage.source}|Client has encountered a connection error`,
)

/** The name does not resolve, as while a container restarts, or the host is unreachable. */
const outOfReach = /^(ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/
/** Distinguishes failed connections from DNS answers and other clients' failures with the same codes. */
const connectionSyscalls = /^(getaddrinfo|connect|read|write)$/

export const isDatabaseDown = (error: unknown): boolean =>
  matchesDatabaseError(
    error,
    (facts) =>
      !lacksConnection(facts) &&
      (away.test(facts.code) ||
        awayMessage.test(facts.message) ||
        (outOfReach.test(facts.code) && connectionSyscalls.test(facts.syscall))),
  )

/** PgBouncer's, all with SQLSTATE 08P01. The last two are Postgres' own, which it repeats for a while. */
const poolerBusyMessage =
  /query_wait_timeout|no more connections allowed|too many (?:clients|connections)|remaining connection slots/

const lacksConnection = ({ code, message }: ErrorFacts): boolean =>
  code === '53300' || message === exhaustedMessage || (code === '08P01' && poolerBusyMessage.test(message))

/** Whether all connections of the pool or the pooler are in use, or Postgres accepts no more of them (SQLSTATE 53300). */
export const isOutOfConnections = (error: unknown): boolean => matchesDatabaseError(error, lacksConnection)

/** Whether the database's disk is full (SQLSTATE 53100). The transaction was rolled back. */
export const isDiskFull = (error: unknown): boolean =>
  matchesDatabaseError(error, ({ code }) => code === '53100')

/** Deadlock, serialization failure, lock not available, statement timeout. */
const contentionCodes = /^(40P01|40001|55P03|57014)$/

/** Whether a lock or a timeout stopped the transaction, which was rolled back. */
export const isContention = (error: unknown): boolean =>
  matchesDatabaseError(error, ({ code }) => contentionCodes.test(code))

/** Whether a lock was not free in the time that the transaction waits for it (SQLSTATE 55P03). It was rolled back. */
export const isLockTimeout = (error: unknown): boolean =>
  matchesDatabaseError(error, ({ code }) => code === '55P03')

/** Whether the database can store nothing, whatever the statement. */
export const isUnavailable = (error: unknown): boolean =>
  isDatabaseDown(error) || isOutOfConnections(error) || isDiskFull(error)

/** Whether a retry may succeed. */
export const isTransient = (error: unknown): boolean => isUnavailable(error) || isContention(error)

interface ErrorFacts {
  readonly code: string
  readonly syscall: string
  readonly message: string
}

/**
 * Looks at the error, at those of each address of a name, and at the cause that drizzle wraps. Other causes belong to other
 * clients.
 */
function matchesDatabaseError(error: unknown, matches: (facts: ErrorFacts) => boolean): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const syscall = 'syscall' in error && typeof error.syscall === 'string' ? error.syscall : ''
  if (matches({ code, syscall, message: error.message })) return true
  if (error instanceof AggregateError) return error.errors.some((each) => matchesDatabaseError(each, matches))
  return error instanceof DrizzleQueryError && matchesDatabaseError(error.cause, matches)
}

/** Builds a prepared query once per database, because building it costs more than running it. */
export function cachePreparedQuery<Query>(build: (db: Database) => Query): (db: Database) => Query {
  const built = new WeakMap<Database, Query>()
  return (db) => {
    const query = built.get(db) ?? build(db)
    built.set(db, query)
    return query
  }
}
