import { sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'

/**
 * Creates the audit log's partitions of this month and the next two. Entries of months without one are kept in the default
 * partition and moved once theirs is created.
 * @returns their names; null if there is nothing to create
 */
export async function makeLogPartitions({
  db,
  now,
}: Context): Promise<{ readonly partitions: readonly string[] } | null> {
  const partitions = await db.transaction(async (tx) => {
    // Changes wait for it, so it does not wait for a long one of them. The next run tries again.
    await tx.execute(sql`set local lock_timeout = '2s'`)
    const { rows } = await tx.execute<{ name: string }>(
      sql`select make_log_partitions(${now().toISOString()}) as name`,
    )
    return rows.map(({ name }) => name)
  })
  return partitions.length === 0 ? null : { partitions }
}
