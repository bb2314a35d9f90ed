import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type OpenDatabase, openDatabase } from '../../packages/database/src/client.ts'

/**
 * The database of the console that is walked through, for what outside systems would have written there.
 *
 * @throws where KUSTOS_URL names a console that runs already, whose database is its own
 */
export async function openSystemDatabase(): Promise<OpenDatabase> {
  const folder = process.env.KUSTOS_E2E_POSTGRES ?? ''
  if (folder === '') throw new Error('The walks have no way to the database of the console at KUSTOS_URL')
  const password = (await readFile(join(folder, 'password'), 'utf8')).trim()
  // Its fourth line is the port.
  const port = (await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8')).split('\n')[3]
  return openDatabase(`postgres://kustos:${password}@127.0.0.1:${port}/kustos`, {
    name: 'walks',
    max: 1,
    asLogin: true,
  })
}
