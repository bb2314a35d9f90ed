import { reportPdfs } from '@kustos/database/tables'
import { lt, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'

/** Drops the months of records that are older than the retention (RECORD_RETENTION). @returns null if there are none */
export async function dropOldRecords({
  db,
}: Pick<Context, 'db'>): Promise<{ readonly partitions: readonly string[] } | null> {
  const partitions = await db.transaction(async (tx) => {
    // Readers and writers wait behind it, so it does not wait long. The next run tries again.
    await tx.execute(sql`set local lock_timeout = '2s'`)
    const { rows } = await tx.execute<{ name: string }>(sql`select drop_old_records() as name`)
    return rows.map(({ name }) => name)
  })
  return partitions.length === 0 ? null : { partitions }
}

const pdfRetentionMs = 86_400_000

/** Removes printed reports of past days. */
export async function purgeReportPdfs({
  db,
  now,
}: Pick<Context, 'db' | 'now'>): Promise<{ readonly removed: number } | null> {
  const { rowCount } = await db
    .delete(reportPdfs)
    .where(lt(reportPdfs.requested_at, new Date(now().getTime() - pdfRetentionMs)))
  return rowCount ? { removed: rowCount } : null
}
