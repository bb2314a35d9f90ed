import {
  type BackendClasses,
  type BackendFactory,
  createPostgresBackend,
  createRedisBackend,
  type IQueueBackend,
  runMigrations,
  withBackend,
} from 'bullmq'
import { Redis } from 'ioredis'
import pg from 'pg'

export interface QueueSettings {
  readonly databaseUrl: string
  /** Where it is unset, the queues live in the database. */
  readonly redisUrl?: string | undefined
  /** Told of what goes wrong in the background, such as a lost connection that is made anew. */
  readonly onError: (error: Error) => void
}

// The two backends take connections of different types; each is given its own below and nowhere else.
// biome-ignore lint/suspicious/noExplicitAny: BullMQ's own way to choose a backend at run time
type AnyConnection = any

export interface Backend extends BackendClasses<IQueueBackend, AnyConnection> {
  /** For those who add and ask: fails at once while the other side is away. */
  readonly asking: AnyConnection
  /** For a worker: waits until the other side is back. */
  readonly working: () => AnyConnection
  /** Whether what is opened on it has to be waited for: BullMQ tries Postgres once, and keeps a failure for good. */
  readonly isTriedOnce: boolean
  close(): Promise<void>
}

/** Whether an error says that Redis is away, or on its way up; of Postgres the database's own errors tell. */
export const isRedisAway = (error: unknown): boolean =>
  error instanceof Error &&
  /max retries per request|Connection is closed|Command timed out|^LOADING|isn't writeable/.test(
    error.message,
  )

const schema = 'bullmq'

/** The one place that decides where jobs are kept. Rejects where Postgres cannot be prepared for them. */
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
  const open = (options: { maxRetriesPerRequest: number | null; commandTimeout?: number }) => {
    const client = new Redis(url, options)
    client.on('error', onError)
    return client
  }
  const asking = open({ maxRetriesPerRequest: 1, commandTimeout: 3_000 })
  const workers: Redis[] = []
  return {
    asking,
    isTriedOnce: false,
    working() {
      // BullMQ blocks on it for as long as there is nothing to do.
      const client = open({ maxRetriesPerRequest: null })
      workers.push(client)
      return client
    },
    async close() {
      for (const client of [asking, ...workers]) client.disconnect()
    },
  }
}

async function postgres({ databaseUrl, onError }: QueueSettings) {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 4,
    application_name: 'kustos-queue',
    connectionTimeoutMillis: 3_000,
    options: `-c search_path=${schema} -c timezone=UTC`,
  })
  pool.on('error', onError)
  // The pool listens to idle ones alone.
  pool.on('connect', (client) => client.on('error', onError))
  try {
    const client = await pool.connect()
    try {
      // Under a lock of BullMQ's own, and nothing to do from the second time on.
      await runMigrations(client, schema)
    } finally {
      client.release()
    }
  } catch (error) {
    await pool.end()
    throw error
  }
  return {
    asking: pool,
    isTriedOnce: true,
    working: () => ({
      connectionString: databaseUrl,
      schema,
      max: 2,
      application_name: 'kustos-worker-queue',
    }),
    close: () => pool.end(),
  }
}

/** Rejects where one of them finds nobody, once none of them tries any more. */
export async function allReady(opened: readonly { waitUntilReady(): Promise<unknown> }[]): Promise<void> {
  const outcomes = await Promise.allSettled(opened.map((each) => each.waitUntilReady()))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}
