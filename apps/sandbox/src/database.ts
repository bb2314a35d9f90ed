import { join } from 'node:path'
import { openDatabase } from '@kustos/database/client'
import { startEmbedded } from '@kustos/database/embedded'
import { migrate } from '@kustos/database/migrations'
import type { DataFolder } from './data-folder.ts'
import { rotate } from './log-file.ts'
import { Refusal, reasonOf } from './refusal.ts'
import type { Running } from './service.ts'

export interface RunningDatabase extends Running {
  readonly url: string
  readonly port: number
}

/**
 * The Postgres of the data folder.
 *
 * @param port taken again after a restart, so that whoever is connected finds it
 */
export async function startPostgres(folder: DataFolder, port?: number): Promise<RunningDatabase> {
  const log = join(folder.logs, 'postgres.log')
  if (port === undefined) rotate(log)
  const embedded = await startEmbedded({
    folder: folder.postgres,
    log,
    ...(port === undefined ? {} : { port }),
  })
  const { url, pid } = embedded
  const ended = Promise.withResolvers<string>()
  embedded.onExit(ended.resolve)
  return {
    url,
    pid,
    port: embedded.port,
    ended: ended.promise,
    async stop() {
      await embedded.stop()
      ended.resolve('stopped')
    },
  }
}

/** @throws Refusal where the database named in DATABASE_URL does not answer */
export async function checkDatabase(url: string): Promise<void> {
  const database = openDatabase(url, { name: 'kustos-sandbox', max: 1, asLogin: true })
  try {
    await database.pool.query('select 1')
  } catch (error) {
    throw new Refusal(`The database at ${placeOf(url)} cannot be reached: ${reasonOf(error)}.`)
  } finally {
    await database.close()
  }
}

export async function migrateDatabase(url: string): Promise<void> {
  try {
    await migrate(url)
  } catch (error) {
    throw new Refusal(`The database at ${placeOf(url)} cannot be brought up to date: ${reasonOf(error)}.`)
  }
}

/** Host and database, without the password. */
export function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'DATABASE_URL'
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}
