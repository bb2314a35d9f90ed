import { join } from 'node:path'
import { type OpenDatabase, openDatabase } from '@kustos/database/client'
import { startEmbedded } from '@kustos/database/embedded'
import { migrate } from '@kustos/database/migrations'
import type { DataFolder } from './data-folder.ts'
import { rotate } from './log-file.ts'
import { seed } from './seed/index.ts'
import { describeError, StartError } from './start-error.ts'
import type { StartContext } from './start-sandbox.ts'
import { supervise } from './supervisor.ts'

export interface Database {
  url(): string
  /** Calls back after Postgres has been restarted on another port. */
  onMove(listener: () => Promise<unknown>): void
}

export async function prepareDatabase(context: StartContext, folder: DataFolder): Promise<Database> {
  const { configuration, console, stopSignal } = context
  const database = await openOrStart(context, folder)
  if (stopSignal.aborted) return database
  await console.step(
    'schema',
    () => migrateDatabase(database.url()),
    () => 'up to date',
  )
  if (stopSignal.aborted) return database
  await console.step(
    'inventory',
    () => seedDatabase(database.url(), configuration.KUSTOS_SANDBOX_WEBS),
    ({ webs, added }) => `${webs} webs${added > 0 && added < webs ? `, ${added} of them new` : ''}`,
  )
  return database
}

/** The configured database, or the embedded Postgres under supervision. */
async function openOrStart(context: StartContext, folder: DataFolder): Promise<Database> {
  const { console, stops } = context
  const { DATABASE_URL: configuredUrl } = context.configuration
  if (configuredUrl !== undefined) {
    await console.step(
      'database',
      () => checkDatabase(configuredUrl),
      () => describeUrl(configuredUrl),
    )
    return { url: () => configuredUrl, onMove: () => undefined }
  }
  let current = await console.step(
    'database',
    () => startPostgres(folder),
    ({ port }) => `Postgres on port ${port}`,
  )
  let notifyMove: () => Promise<unknown> = async () => undefined
  const service = {
    name: 'Postgres',
    async start() {
      const previousUrl = current.url
      current = await startPostgres(folder, current.port)
      if (current.url !== previousUrl) await notifyMove()
      return current
    },
  }
  stops.push(supervise(service, current, console.print).stop)
  return {
    url: () => current.url,
    onMove: (listener) => {
      notifyMove = listener
    },
  }
}

const seedDatabase = (url: string, webs: number) => withDatabase(url, ({ db }) => seed(db, { webs }))

async function withDatabase<T>(url: string, work: (database: OpenDatabase) => Promise<T>): Promise<T> {
  const database = openDatabase(url, { name: 'kustos-sandbox', max: 2, asLogin: true })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/**
 * Starts the Postgres of the data folder.
 * @param port of the previous process, so that clients can reconnect
 */
async function startPostgres(folder: DataFolder, port?: number) {
  const log = join(folder.logs, 'postgres.log')
  if (port === undefined) rotate(log)
  const embedded = await startEmbedded({ folder: folder.postgres, log, ...(port !== undefined && { port }) })
  const { url, pid } = embedded
  const exited = Promise.withResolvers<string>()
  embedded.onExit(exited.resolve)
  return {
    url,
    pid,
    port: embedded.port,
    exited: exited.promise,
    async stop() {
      await embedded.stop()
      exited.resolve('stopped')
    },
  }
}

/** @throws StartError if the database does not answer */
const checkDatabase = (url: string): Promise<void> =>
  withDatabase(url, async ({ pool }) => {
    await pool.query('select 1').catch((error: unknown) => {
      throw new StartError(`The database at ${describeUrl(url)} cannot be reached: ${describeError(error)}.`)
    })
  })

async function migrateDatabase(url: string): Promise<void> {
  try {
    await migrate(url)
  } catch (error) {
    throw new StartError(`The database at ${describeUrl(url)} cannot be migrated: ${describeError(error)}.`)
  }
}

/** Host and database, without the password. */
function describeUrl(url: string): string {
  if (!URL.canParse(url)) return 'DATABASE_URL'
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}
