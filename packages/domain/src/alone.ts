import type { Transaction } from '@kustos/database/client'
import { sql } from 'drizzle-orm'
import type { Context } from './context.ts'
import { asError } from './errors.ts'

/**
 * Does something for a row unless some process is at it already. The lock belongs to a connection without a
 * transaction: it ends with the process that holds it, and holds up neither statements nor the removal of old rows.
 * @param of the kind of row, by its table
 * @returns null where somebody else is at it
 */
export async function alone<T>(
  { database }: Pick<Context, 'database'>,
  of: 'alerts' | 'inspections',
  id: number,
  work: () => Promise<T>,
): Promise<T | null> {
  const client = await database.pool.connect()
  let broken: Error | undefined
  // Meanwhile there is no statement to hear that the connection has broken, and the lock with it.
  const hear = (error: Error) => {
    broken = error
  }
  client.on('error', hear)
  const lock = async (call: 'pg_try_advisory_lock' | 'pg_advisory_unlock') => {
    const sql = `select ${call}(hashtext($1), $2) as done`
    const { rows } = await client.query<{ done: boolean }>(sql, [`kustos.${of}`, id])
    return rows[0]?.done === true
  }
  try {
    if (!(await lock('pg_try_advisory_lock'))) return null
    try {
      return await work()
    } finally {
      await lock('pg_advisory_unlock').catch((error: unknown) => hear(asError(error)))
    }
  } finally {
    client.off('error', hear)
    // One that may hold the lock still is closed.
    client.release(broken)
  }
}

/** What is done by one transaction at a time, over all processes. */
type Turn =
  | 'audits'
  | 'certificates'
  | 'refreshes'
  | 'registrar'
  | 'repositories'
  | 'statistics'
  | 'system-users'

/** Waits until nobody else is at it, and keeps others out until the transaction ends. */
export async function takeTurn(tx: Transaction, at: Turn): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`kustos.${at}`}))`)
}
