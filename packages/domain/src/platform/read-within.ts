import type { Transaction } from '@kustos/database/client'
import { sql } from 'drizzle-orm'
import type { Context } from './context.ts'

/**
 * Runs a search in a transaction that only reads. Postgres ends each of its statements that takes longer, with an error that
 * `isContention` knows.
 */
export const readWithin = <T>(
  { db }: Pick<Context, 'db'>,
  milliseconds: number,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> =>
  db.transaction(
    async (tx) => {
      // Compiling a statement takes longer than a search.
      await tx.execute(
        sql`select set_config('statement_timeout', ${String(milliseconds)}, true), set_config('jit', 'off', true)`,
      )
      return work(tx)
    },
    { accessMode: 'read only' },
  )
