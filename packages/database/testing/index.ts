import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { type OpenDatabase, openDatabase } from '../src/client.ts'
import { urlFor } from './url.ts'

export { configurePooler, findPgBouncer, startPgBouncer, type TestPooler } from './pooler.ts'
export { type TestRedis, testRedis, testRedisCluster } from './redis.ts'
export { type RedisProgram, startRedisCluster, startRedisProgram } from './redis-program.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The Postgres of this run: its superuser's URL, and the migrated database that test databases are cloned from. */
    testPostgres: { readonly url: string; readonly template: string }
  }
}

/** Connections with the privileges of the application. */
export interface TestDatabase extends OpenDatabase {
  readonly url: string
  /** The same database as its owner. */
  readonly owner: OpenDatabase
  /** The statements that wait for a lock of another transaction, which the application's role is not told. */
  readonly waitingStatements: () => Promise<string[]>
}

export interface TestDatabaseOptions {
  /** An empty database instead of a migrated one. */
  readonly empty?: boolean
}

/**
 * A database for one test file, dropped after its last test. Call it at the top of the file:
 *
 *     const database = await testDatabase()
 *
 * Hooks run in reverse order, so that everything that is opened on it later is closed first.
 */
export async function testDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { url: server, template } = inject('testPostgres')
  const name = `test_${randomBytes(8).toString('hex')}`
  // Copying files takes a tenth of the time of the default, which copies through the write-ahead log.
  const source = options.empty ? 'template0' : `${template} strategy file_copy`
  await execute(server, `create database ${name} template ${source}`)
  const url = urlFor(server, name)
  const database = openDatabase(url, { max: 8, name: 'kustos-test' })
  const owner = openDatabase(url, { max: 2, name: 'kustos-test-owner', asLogin: true })
  afterAll(async () => {
    await Promise.all([database.close(), owner.close()])
    // Also ends connections that a test has left open.
    await execute(server, `drop database ${name} with (force)`)
  })
  const waitingStatements = async () => {
    const { rows } = await owner.pool.query<{ query: string }>(
      `select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.map(({ query }) => query)
  }
  return { ...database, url, owner, waitingStatements }
}

async function execute(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
