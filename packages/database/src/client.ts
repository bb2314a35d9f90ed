import { DrizzleQueryError } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { asApplication } from './application-role.ts'
import * as tables from './tables/index.ts'

export type Database = NodePgDatabase<typeof tables>
/** A transaction, or the database itself where a single statement needs none. */
export type Transaction = Pick<
  Database,
  'select' | 'insert' | 'update' | 'delete' | 'execute' | 'query' | '$with'
>

export interface OpenDatabase {
  readonly db: Database
  readonly pool: pg.Pool
  /** Waits for the queries under way. */
  close(): Promise<void>
}

export interface OpenOptions {
  /** Connections at most. */
  readonly max?: number
  /** Whether it works as the login itself, for whoever prepares a database, rather than as the application's role. */
  readonly asLogin?: boolean
  /** Shown in pg_stat_activity. */
  readonly name?: string
  /** Told when a connection breaks, perhaps more than once; the pool opens another. */
  readonly onConnectionLost?: (error: Error) => void
}

/** Opens a pool; the first connection is made with the first query. */
export function openDatabase(url: string, options: OpenOptions = {}): OpenDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    application_name: options.name ?? 'kustos',
    connectionTimeoutMillis: 5_000,
    // A statement that runs longer is stuck; exports and the large list take well under a second.
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    options: options.asLogin ? '-c timezone=UTC' : `-c timezone=UTC ${asApplication}`,
  })
  const lost = (error: Error) => options.onConnectionLost?.(error)
  pool.on('error', lost)
  // The pool listens to idle ones alone. One that is lost between two statements of a transaction would end the process.
  pool.on('connect', (client) => client.on('error', lost))
  return { db: drizzle(pool, { schema: tables }), pool, close: () => pool.end() }
}

/** Refused or broken connections, and a server that starts, stops or has no room (SQLSTATE classes 08, 57P and 53). */
const away = /^(ECONN\w+|EPIPE|ETIMEDOUT|08\w{3}|57P0\d|53300)$/
const awayMessage =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/

/** Its name does not resolve, as while its container restarts, or no network leads there. */
const outOfReach = /^(ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/
/** What of a connection fails by one of these; DNS answers and failures of other clients carry the same codes without it. */
const connecting = /^(getaddrinfo|connect|read|write)$/

/** Whether an error says that the database is away rather than that the statement was wrong. */
export const isDatabaseDown = (error: unknown): boolean =>
  says(
    error,
    ({ code, syscall, message }) =>
      away.test(code) || awayMessage.test(message) || (outOfReach.test(code) && connecting.test(syscall)),
  )

/** The database's disk is full (SQLSTATE 53100): nothing of the transaction was written. */
export const isDiskFull = (error: unknown): boolean => says(error, ({ code }) => code === '53100')

/** A deadlock, a clash of transactions, a lock that was not to be had, a statement that took too long. */
const standingInTheWay = /^(40P01|40001|55P03|57014)$/

/** Somebody else stood in the way, or it took too long: nothing of the transaction was written. */
export const isInTheWay = (error: unknown): boolean => says(error, ({ code }) => standingInTheWay.test(code))

/** Whether the same work may succeed a little later. */
export const mayPass = (error: unknown): boolean =>
  isDatabaseDown(error) || isDiskFull(error) || isInTheWay(error)

interface Said {
  readonly code: string
  readonly syscall: string
  readonly message: string
}

/**
 * Looks at an error, at those of each address of a name, and at what drizzle keeps of Postgres' own. Other causes are not
 * the database's: clients keep there what became of their own connections.
 */
function says(error: unknown, what: (said: Said) => boolean): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const syscall = 'syscall' in error && typeof error.syscall === 'string' ? error.syscall : ''
  if (what({ code, syscall, message: error.message })) return true
  if (error instanceof AggregateError) return error.errors.some((each) => says(each, what))
  return error instanceof DrizzleQueryError && says(error.cause, what)
}

/** A prepared query, built once for each database: building it anew costs more than running it does. */
export function prepared<Query>(build: (db: Database) => Query): (db: Database) => Query {
  const built = new WeakMap<Database, Query>()
  return (db) => {
    const query = built.get(db) ?? build(db)
    built.set(db, query)
    return query
  }
}
