import pg from 'pg'

/** How many months they stay in the database; null if indefinitely. */
export interface Retentions {
  /** The audit log. */
  readonly log: number | null
  /** The records of tracking audits. */
  readonly records: number | null
}

/**
 * Stores how long the tables stay that only grow, which the application's role cannot.
 * @param url of the login that owns the tables
 */
export async function storeRetentions(url: string, { log, records }: Retentions): Promise<void> {
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
      `insert into log_settings (retention_months, record_retention_months) values ($1, $2)
      on conflict (is_only_row) do update set retention_months = excluded.retention_months,
        record_retention_months = excluded.record_retention_months`,
      [log, records],
    )
  } finally {
    await client.end()
  }
}
