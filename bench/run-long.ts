import type { OpenDatabase } from '@kustos/database/client'

/** Runs a statement without a timeout. */
export async function runLong({ pool }: OpenDatabase, statement: string): Promise<void> {
  const client = await pool.connect()
  await client.query("set statement_timeout = 0; set maintenance_work_mem = '512MB'")
  await client.query(statement)
  await client.query('reset statement_timeout; reset maintenance_work_mem')
  client.release()
}
