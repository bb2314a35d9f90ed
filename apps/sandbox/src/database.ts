import { join } from 'node:path'
import { openDatabase } from '@kustos/database/client'
import { startEmbedded } from '@kustos/database/embedded'
import { migrate } from '@kustos/database/migrations'
import type { DataFolder } from './data-folder.ts'
import { rotate } from './log-file.ts'
import { describeError, StartError } from './start-error.ts'
import type { RunningProcess } from './supervisor.ts'

export interface RunningDatabase extends RunningProcess {
  readonly url: string
  readonly port: number
}

/**
 * Starts the Postgres of the data folder.
 * @param port of the previous process, so that clients can reconnect
 */
export async function startPostgres(folder: DataFolder, port?: number): Promise<RunningDatabase> {
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
export async function checkDatabase(url: string): Promise<void> {
  const database = openDatabase(url, { name: 'kustos-sandbox', max: 1, asLogin: true })
  try {
    await database.pool.query('select 1')
  } catch (error) {
    throw new StartError(`The database at ${describeUrl(url)} cannot be reached: ${describeError(error)}.`)
  } finally {
    await database.close()
  }
}

export async function migrateDatabase(url: string): Promise<void> {
  try {
    await migrate(url)
  } catch (error) {
    throw new StartError(`The database at ${describeUrl(url)} cannot be migrated: ${describeError(error)}.`)
  }
}

/** Host and database, without the password. */
export function describeUrl(url: string): string {
  if (!URL.canParse(url)) return 'DATABASE_URL'
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}
