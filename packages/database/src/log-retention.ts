import pg from 'pg'

/**
 * Stores how long the audit log stays in the database, which the application's role cannot.
 * @param url of the login that owns the tables
 * @param months null if they are kept indefinitely
 */
export async function storeLogRetention(url: string, months: number | null): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'kustos-migrate',
    connectionTimeoutMillis: 5_000,
  })
  // A broken connection also fails the statement.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(
      `insert into log_settings (retention_months) values ($1)
      on conflict (is_only_row) do update set retention_months = excluded.retention_months`,
      [months],
    )
  } finally {
    await client.end()
  }
}
