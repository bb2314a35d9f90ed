import type { Database, Transaction } from '@kustos/database/client'
import { sql } from 'drizzle-orm'
import { lockInTransaction } from '../platform/locks.ts'
import { type Day, dayAfter, dayOf, spanOf } from './day.ts'

/** Makes the partition that takes a day's statistics, unless it is there. */
export async function ensurePartition(db: Database, day: Day): Promise<void> {
  await db.transaction(async (tx) => {
    await lockInTransaction(tx, 'statistics')
    if ((await partitionDays(tx)).includes(day)) return
    const { from, to } = spanOf(day)
    await tx.execute(sql`select make_statistics_partition(${day}, ${time(from)}, ${time(to)})`)
  })
}

/** The days that there are partitions for, the oldest first. */
export async function partitionDays(db: Transaction): Promise<Day[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'statistics'::regclass order by 1`)
  return rows.map(({ name }) => name.slice('statistics_'.length).replaceAll('_', '-'))
}

/** Drops what is older than so many days, as far as it has been rolled up. @returns the days that went */
export async function dropOldPartitions(db: Database, now: Date, keep: number): Promise<Day[]> {
  const oldest = dayAfter(dayOf(now), -keep)
  return db.transaction(async (tx) => {
    await lockInTransaction(tx, 'statistics')
    // Readers are not waited for, because writers would queue up behind. The next run will do.
    await tx.execute(sql`set local lock_timeout = '2s'`)
    const { rows } = await tx.execute<{ day: Day }>(sql`select day::text from rolled_up_days`)
    const done = new Set(rows.map(({ day }) => day))
    const old = (await partitionDays(tx)).filter((day) => day < oldest && done.has(day))
    for (const day of old) await tx.execute(sql`select drop_statistics_partition(${day})`)
    return old
  })
}

const time = (at: number) => new Date(at).toISOString()
