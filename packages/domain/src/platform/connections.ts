import type { OpenDatabase } from '@kustos/database/client'
import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'

/**
 * Warns if Postgres has fewer connections left than a program can open: then it would report the database as unavailable when it is
 * busy.
 *
 * @param others the connections that the program can open besides the pool
 */
export async function checkConnections(
  { db, pool }: OpenDatabase,
  log: Pick<Logger, 'warn'>,
  others: number,
): Promise<void> {
  const {
    rows: [connections],
  } = await db.execute<{ allowed: number; open: number }>(sql`
    select
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - current_setting('reserved_connections')::int as allowed,
      (select count(*)::int from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()) as open`)
  if (connections === undefined) return
  const needed = pool.options.max + others
  if (connections.open + needed > connections.allowed)
    log.warn(
      { needed, ...connections },
      'Postgres allows fewer connections than this program may need beside the open ones: raise max_connections or lower DATABASE_CONNECTIONS',
    )
}
