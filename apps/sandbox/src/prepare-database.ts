import { openDatabase } from '@kustos/database/client'
import type { DataFolder } from './data-folder.ts'
import { checkDatabase, describeUrl, migrateDatabase, startPostgres } from './database.ts'
import { seed } from './seed/index.ts'
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

async function seedDatabase(url: string, webs: number) {
  const database = openDatabase(url, { name: 'kustos-sandbox', max: 2, asLogin: true })
  try {
    return await seed(database.db, { webs })
  } finally {
    await database.close()
  }
}
