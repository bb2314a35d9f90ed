import type { OpenDatabase, Transaction } from '@kustos/database/client'
import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'

/**
 * @returns how many connections Postgres allows logins like this one, and how many others are open. The kind of others is hidden from
 *   the application's role, but only those to a database and a few workers of Postgres name one.
 */
export async function readConnections(
  db: Transaction,
): Promise<{ readonly allowed: number; readonly open: number }> {
  const { rows } = await db.execute<{ allowed: number; open: number }>(sql`
    select
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - current_setting('reserved_connections')::int as allowed,
      (select count(*)::int from pg_stat_activity where datid is not null and pid <> pg_backend_pid()) as open`)
  return rows[0] ?? { allowed: 0, open: 0 }
}

/**
 * Warns if Postgres has fewer connections left than a program can open. Called before it opens more than this needs, since those that
 * are open count as connections of others.
 *
 * @param others the connections that the program can open besides the pool
 */
export async function checkConnections(
  { db, pool, isPooled }: Pick<OpenDatabase, 'db' | 'pool' | 'isPooled'>,
  log: Pick<Logger, 'warn'>,
  others: number,
): Promise<void> {
  const connections = await readConnections(db)
  // The connections of a pooler are its own.
  const needed = (isPooled ? 0 : pool.options.max) + others
  if (connections.open + needed > connections.allowed)
    log.warn(
      { needed, ...connections },
      'Postgres allows fewer connections than this program may need beside the open ones: raise max_connections or lower DATABASE_CONNECTIONS',
    )
}
