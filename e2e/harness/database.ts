import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type OpenDatabase, openDatabase } from '../../packages/database/src/client.ts'

/**
 * Opens the database of the tested console, to write what outside systems would have written.
 *
 * @throws if KUSTOS_URL names a console that runs already and KUSTOS_E2E_DATABASE_URL does not name its database
 */
export async function openConsoleDatabase(): Promise<OpenDatabase> {
  return openDatabase(process.env.KUSTOS_E2E_DATABASE_URL || (await readEmbeddedUrl()), {
    name: 'e2e',
    max: 1,
    asLogin: true,
  })
}

async function readEmbeddedUrl(): Promise<string> {
  const folder = process.env.KUSTOS_E2E_POSTGRES ?? ''
  if (folder === '') throw new Error('The database of the console at KUSTOS_URL is unknown')
  const password = (await readFile(join(folder, 'password'), 'utf8')).trim()
  // The fourth line of postmaster.pid is the port.
  const port = (await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8')).split('\n')[3]
  return `postgres://kustos:${password}@127.0.0.1:${port}/kustos`
}

/** Runs a statement in the database of the tested console. */
export async function queryConsole<Row extends object>(
  statement: string,
  value: string | number,
): Promise<Row[]> {
  const database = await openConsoleDatabase()
  const { rows } = await database.pool.query<Row>(statement, [value])
  await database.close()
  return rows
}

/** Ends a user's sessions. The event stream tells open pages, which ask for a new sign-in. */
export const endSessions = ({ id }: { readonly id: number }) =>
  queryConsole('delete from sessions where user_id = $1', id)
