import pg from 'pg'
import { ownerSentence } from '../ownership.ts'
import { BackupRefusal } from './damage.ts'

/** In which values are written alike whatever the server's and the login's settings are, and a statement may take hours. */
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
 * Works on a connection of the login itself, which is closed at the end, and with it whatever was not committed.
 * @throws BackupRefusal where the login may not do what the work takes
 */
export async function connectedForCopies<T>(
  url: string,
  name: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: 5_000,
    options: Object.entries(settings)
      .map(([key, value]) => `-c ${key}=${value}`)
      .join(' '),
  })
  // What breaks it fails the statement under way, too.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } catch (error) {
    const sentence = ownerSentence(error, client)
    throw sentence === null ? error : new BackupRefusal(sentence, { cause: error })
  } finally {
    await client.end()
  }
}
