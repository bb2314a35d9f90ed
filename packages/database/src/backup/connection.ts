import pg from 'pg'

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

/** A connection of the login itself, for one backup or one restore. */
export async function connectForCopies(url: string, name: string): Promise<pg.Client> {
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
  return client
}
