import { probeRounds } from '@kustos/database/tables'
import { lt } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { type Day, dayAfter, dayOf, spanOf } from './day.ts'
import { dropOldPartitions, partitionDays } from './partitions.ts'
import { rawDays } from './uptime.ts'

/** Removes the statistics of days that are kept as uptime days only, whole partitions at a time, and their rounds. */
export async function purgeStatistics({
  db,
  now,
}: Context): Promise<{ readonly days: readonly Day[] } | null> {
  const days = await dropOldPartitions(db, now(), rawDays)
  // Statistics that stay are rolled up by their rounds.
  const [oldest = dayOf(now())] = await partitionDays(db)
  const kept = [oldest, dayAfter(dayOf(now()), -rawDays)].sort()[0] ?? oldest
  await db.delete(probeRounds).where(lt(probeRounds.round_at, new Date(spanOf(kept).from)))
  return days.length === 0 ? null : { days }
}
