import type { Database, Transaction } from '@kustos/database/client'
import { probeRounds } from '@kustos/database/tables'
import { lt, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { lockInTransaction } from '../platform/locks.ts'
import { type Day, dayAfter, dayOf, spanOf } from './day.ts'

/** Statistics are kept for this long, their uptime days forever. */
export const rawDays = 14

export async function ensurePartition(db: Database, day: Day): Promise<void> {
  await db.transaction(async (tx) => {
    await lockInTransaction(tx, 'statistics')
    if ((await partitionDays(tx, ['statistics'])).includes(day)) return
    const { from, to } = spanOf(day)
    await tx.execute(sql`select make_statistics_partition(${day}, ${time(from)}, ${time(to)})`)
  })
}

/** Uptime days have a partition for each year. */
export async function ensureUptimePartition(tx: Transaction, day: Day): Promise<void> {
  await limitLockWait(tx)
  await tx.execute(sql`select make_uptime_days_partition(${day})`)
}

type PartitionedTable = 'statistics' | 'packed_statistics'

/** The days that have a partition of any of the tables, the oldest first. */
export async function partitionDays(
  db: Transaction,
  tables: readonly PartitionedTable[] = ['statistics', 'packed_statistics'],
): Promise<Day[]> {
  const { rows } = await db.execute<{ day: string }>(sql`
    select distinct right(c.relname, 10) as day from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = any (${sql.param([...tables])}::text[]::regclass[]) order by 1`)
  return rows.map(({ day }) => day.replaceAll('_', '-'))
}

/** Drops the partitions that have been rolled up and are old enough. @returns their days */
async function dropOldPartitions(db: Database, now: Date): Promise<Day[]> {
  const oldest = dayAfter(dayOf(now), -rawDays)
  return db.transaction(async (tx) => {
    await lockInTransaction(tx, 'statistics')
    await limitLockWait(tx)
    const { rows } = await tx.execute<{ day: Day }>(sql`select day::text from rolled_up_days`)
    const done = new Set(rows.map(({ day }) => day))
    const old = (await partitionDays(tx)).filter((day) => day < oldest && done.has(day))
    for (const day of old) await tx.execute(sql`select drop_statistics_partition(${day})`)
    return old
  })
}

/** Does not wait long for readers, because writers would queue up behind. The next run tries again. */
export const limitLockWait = (tx: Transaction) => tx.execute(sql`set local lock_timeout = '2s'`)

export const time = (at: number) => new Date(at).toISOString()

/** Removes the statistics of days that are kept as uptime days only, whole partitions at a time, and their rounds. */
export async function purgeStatistics({
  db,
  now,
}: Context): Promise<{ readonly days: readonly Day[] } | null> {
  const days = await dropOldPartitions(db, now())
  // Statistics that stay are rolled up by their rounds.
  const [oldest = dayOf(now())] = await partitionDays(db)
  const kept = [oldest, dayAfter(dayOf(now()), -rawDays)].sort()[0] ?? oldest
  await db.delete(probeRounds).where(lt(probeRounds.round_at, new Date(spanOf(kept).from)))
  return days.length === 0 ? null : { days }
}
