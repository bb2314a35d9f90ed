import { join } from 'node:path'
import { openDatabase } from '@kustos/database/client'
import type { DataFolder } from './data-folder.ts'
import { checkDatabase, migrateDatabase, placeOf, startPostgres } from './database.ts'
import { buildFrontend } from './frontend.ts'
import { seed } from './seed/index.ts'
import { keepRunning } from './service.ts'
import type { World } from './world.ts'

/** Builds the frontend while the database is started, migrated and filled: neither needs the other. */
export async function prepare(world: World, folder: DataFolder): Promise<Database> {
  const { configuration, console, end } = world
  const failed = new AbortController()
  const build = () => buildFrontend(join(folder.logs, 'build.log'), AbortSignal.any([end, failed.signal]))
  const fillDatabase = async () => {
    const database = await bringDatabase(world, folder)
    if (end.aborted) return database
    await console.step(
      'schema',
      () => migrateDatabase(database.url()),
      () => 'up to date',
    )
    if (end.aborted) return database
    await console.step(
      'inventory',
      () => fill(database.url(), configuration.KUSTOS_SANDBOX_WEBS),
      ({ webs, added }) => `${webs} webs${added > 0 && added < webs ? `, ${added} of them new` : ''}`,
    )
    return database
  }
  const [database, frontend] = await Promise.allSettled([
    fillDatabase().catch((error: unknown) => {
      failed.abort()
      throw error
    }),
    console.step('frontend', build, (outcome) => outcome),
  ])
  if (database.status === 'rejected') throw database.reason
  if (frontend.status === 'rejected') throw frontend.reason
  return database.value
}

export interface Database {
  url(): string
  /** Tells when Postgres came back on another port, its old one being taken. */
  onMoved(listener: () => Promise<unknown>): void
}

/** Takes the database named in the configuration, or starts the embedded one and keeps it running. */
async function bringDatabase(world: World, folder: DataFolder): Promise<Database> {
  const { configuration, console, ending } = world
  const { DATABASE_URL: given } = configuration
  if (given !== undefined) {
    await console.step(
      'database',
      () => checkDatabase(given),
      () => placeOf(given),
    )
    return { url: () => given, onMoved: () => undefined }
  }
  const first = await console.step(
    'database',
    () => startPostgres(folder),
    ({ port }) => `Postgres on port ${port}`,
  )
  let current = first
  let moved: () => Promise<unknown> = async () => undefined
  const service = {
    name: 'Postgres',
    async start() {
      const before = current.url
      current = await startPostgres(folder, current.port)
      if (current.url !== before) await moved()
      return current
    },
  }
  const kept = keepRunning(service, first, console.say)
  ending.push(kept.stop)
  return {
    url: () => current.url,
    onMoved: (listener) => {
      moved = listener
    },
  }
}

async function fill(url: string, webs: number): Promise<{ webs: number; added: number }> {
  const database = openDatabase(url, { name: 'kustos-sandbox', max: 2, asLogin: true })
  try {
    return await seed(database.db, { webs })
  } finally {
    await database.close()
  }
}
