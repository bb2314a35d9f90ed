import {
  type BackendClasses,
  type BackendFactory,
  createPostgresBackend,
  createRedisBackend,
  type IQueueBackend,
  runMigrations,
  withBackend,
} from 'bullmq'
import pg from 'pg'
import { type ConnectionOptions, keysOf, openRedis } from './redis.ts'

export interface QueueSettings {
  readonly databaseUrl: string
  /** Without it the queues are in the database. */
  readonly redisUrl?: string | undefined
  /** Called for background errors such as a lost connection. */
  readonly onError: (error: Error) => void
}

// The two backends take connections of different types.
// biome-ignore lint/suspicious/noExplicitAny: BullMQ's own way to choose a backend at run time
type AnyConnection = any

export interface Backend extends BackendClasses<IQueueBackend, AnyConnection> {
  /** Fails at once while the backend is unavailable. */
  readonly producerConnection: AnyConnection
  /** Waits until the backend is available again. */
  readonly createWorkerConnection: () => AnyConnection
  /** BullMQ connects to Postgres once and never retries a failure, so opening has to be awaited. */
  readonly connectsOnce: boolean
  /** BullMQ's option for where it keeps what belongs to a queue. */
  readonly keysOf: (queue: string) => { readonly prefix?: string }
  close(): Promise<void>
}

const schema = 'bullmq'
/** Pool sizes of the connections that add and list jobs, and of those that take the jobs of one queue. */
const pools = { producer: 4, worker: 2 }
/** BullMQ keeps a connection of the pool to listen for new jobs of a queue. */
const listeners = 1
/** Of the pool of workers, which add no jobs. */
const migrators = 1

/**
 * How many connections to Postgres a program opens at most for its queues.
 * @param taken how many queues it takes jobs from
 */
export const queueConnections = (redisUrl: string | undefined, taken: number): number => {
  if (redisUrl !== undefined) return 0
  return pools.producer + (taken > 0 ? migrators + taken * (pools.worker + listeners) : 0)
}

/** Opens the configured backend. Rejects if Postgres cannot be prepared. */
export async function openBackend(settings: QueueSettings): Promise<Backend> {
  const factory: BackendFactory<IQueueBackend, AnyConnection> = settings.redisUrl
    ? createRedisBackend
    : createPostgresBackend
  const classes = withBackend(factory)
  return settings.redisUrl
    ? { ...classes, ...redis(settings.redisUrl, settings.onError) }
    : { ...classes, ...(await postgres(settings)) }
}

function redis(url: string, onError: (error: Error) => void) {
  const open = (options: ConnectionOptions) => {
    const client = openRedis(url, options)
    client.on('error', onError)
    return client
  }
  const producerConnection = open({ maxRetriesPerRequest: 1, commandTimeout: 3_000 })
  const workers: ReturnType<typeof openRedis>[] = []
  return {
    producerConnection,
    connectsOnce: false,
    keysOf: (queue: string) => keysOf(url, queue),
    createWorkerConnection() {
      // BullMQ blocks on it while there is no job.
      const client = open({ maxRetriesPerRequest: null })
      workers.push(client)
      return client
    },
    async close() {
      for (const client of [producerConnection, ...workers]) client.disconnect()
    },
  }
}

async function postgres({ databaseUrl, onError }: QueueSettings) {
  // Pools of our own, since connections in BullMQ's have no listener while they are handed over, so that an error then ends
  // the process.
  const open = (options: pg.PoolConfig) => {
    const opened = new pg.Pool({
      connectionString: databaseUrl,
      options: `-c search_path=${schema} -c timezone=UTC`,
      // Shows within half a minute that a server has vanished without a word.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      ...options,
    })
    opened.on('error', onError)
    // Each queue adds listeners of its own.
    opened.setMaxListeners(0)
    // The pool handles errors of idle clients only.
    opened.on('connect', (client) => client.on('error', onError))
    return opened
  }
  const pool = open({
    max: pools.producer,
    application_name: 'kustos-queue',
    connectionTimeoutMillis: 3_000,
  })
  const workers: pg.Pool[] = []
  try {
    const client = await pool.connect()
    try {
      // BullMQ locks its migrations and skips those that were run.
      await runMigrations(client, schema)
    } finally {
      client.release()
    }
  } catch (error) {
    await pool.end()
    throw error
  }
  return {
    producerConnection: pool,
    connectsOnce: true,
    keysOf: () => ({}),
    createWorkerConnection() {
      const worker = open({
        max: pools.worker + listeners,
        application_name: 'kustos-worker-queue',
      })
      workers.push(worker)
      return worker
    },
    async close() {
      await Promise.all([pool, ...workers].map((opened) => opened.end()))
    },
  }
}

/** Waits for all; rejects if one of them cannot connect. */
export async function waitUntilReady(all: readonly { waitUntilReady(): Promise<unknown> }[]): Promise<void> {
  const outcomes = await Promise.allSettled(all.map((each) => each.waitUntilReady()))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}
