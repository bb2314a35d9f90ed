import pg from 'pg'
import { keepAlive } from '../keep-alive.ts'
import { ownerSentence } from '../ownership.ts'
import { BackupError } from './errors.ts'

/** Makes the format of values independent of the server and the login, and lets statements take hours. */
const settings = {
  statement_timeout: 0,
  idle_in_transaction_session_timeout: 0,
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'iso_8601',
  bytea_output: 'hex',
  extra_float_digits: 3,
}

/**
 * Runs work on a connection of the login itself, which is closed afterwards without committing.
 * @throws BackupError if the login lacks a right
 */
export async function withBackupConnection<T>(
  url: string,
  name: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: 5_000,
    ...keepAlive,
    options: Object.entries(settings)
      .map(([key, value]) => `-c ${key}=${value}`)
      .join(' '),
  })
  // A broken connection also fails the statement under way.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } catch (error) {
    const sentence = ownerSentence(error, client)
    throw sentence === null ? error : new BackupError(sentence, { cause: error })
  } finally {
    await client.end()
  }
}
