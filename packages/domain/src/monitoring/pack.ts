import type { Database, Transaction } from '@kustos/database/client'
import { sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { lockInTransaction } from '../platform/locks.ts'
import { type Day, spanOf } from './day.ts'
import { limitLockWait, partitionDays, time } from './partitions.ts'

const hourMs = 3_600_000

/** For so long the latest probes are read from `statistics` alone: three of the longest rounds (list.ts). */
const unpackedMs = 3 * hourMs

/**
 * Packs past days hour by hour into a table apart, which then takes the place of the day's partition. A run continues where a
 * killed one has ended, and may overlap with another.
 * @returns the days that were replaced; null if there is none
 */
export async function packStatistics(
  { db, now }: Context,
  signal?: AbortSignal,
): Promise<{ readonly days: readonly Day[] } | null> {
  const packed: Day[] = []
  for (const day of await daysToPack(db, now())) {
    const { from, to } = spanOf(day)
    for (let hour = from; hour < to; hour += hourMs) {
      if (signal?.aborted) return null
      await packHour(db, day, hour)
    }
    if (await replacePartition(db, day)) packed.push(day)
  }
  return packed.length === 0 ? null : { days: packed }
}

/** Days that are rolled up and have no round to evaluate, so that nothing is written to them. */
async function daysToPack(db: Transaction, now: Date): Promise<Day[]> {
  const { rows } = await db.execute<{ day: Day }>(sql`
    select day::text from rolled_up_days where not exists (
      select from probe_rounds where judged_at is null and (round_at at time zone 'Europe/Rome')::date = day)`)
  const settled = new Set(rows.map(({ day }) => day))
  return (await unpackedDays(db)).filter(
    (day) => settled.has(day) && spanOf(day).to + unpackedMs <= now.getTime(),
  )
}

async function unpackedDays(db: Transaction): Promise<Day[]> {
  const packed = new Set(await partitionDays(db, ['packed_statistics']))
  return (await partitionDays(db, ['statistics'])).filter((day) => !packed.has(day))
}

/** Runs work unless the day has been replaced meanwhile. One transaction at a time packs. */
const whileUnpacked = (db: Database, day: Day, work: (tx: Transaction) => Promise<boolean>) =>
  db.transaction(async (tx) => {
    // An hour of a hundred thousand webs is six million rows.
    await tx.execute(sql`set local statement_timeout = '15min'`)
    await lockInTransaction(tx, 'packing')
    return (await unpackedDays(tx)).includes(day) && (await work(tx))
  })

const tableOf = (parent: 'statistics' | 'packed_statistics', day: Day) =>
  sql.identifier(`${parent}_${day.replaceAll('-', '_')}`)

function packHour(db: Database, day: Day, hour: number): Promise<boolean> {
  const from = sql`${time(hour)}::timestamptz`
  const target = tableOf('packed_statistics', day)
  return whileUnpacked(db, day, async (tx) => {
    await tx.execute(sql`select create_packed_statistics(${day})`)
    await tx.execute(sql`
      insert into ${target} (web_id, hour_at, status, outcome, reason, reason_code, reason_params, delay_high, response_high,
        rounds, delays, responses)
      select web_id, ${from}, status, outcome, reason, reason_code, reason_params, delay >> 15, response_ms >> 15,
        array_agg(extract(epoch from round_at - ${from})::smallint order by round_at),
        array_agg((delay & 32767)::smallint order by round_at),
        array_agg((response_ms & 32767)::smallint order by round_at)
      from (
        select *, (extract(epoch from created_at - round_at) * 1000)::int as delay from statistics
        where round_at >= ${from} and round_at < ${from} + interval '1 hour'
          -- Finds the hour by its block range index. The last rounds of an hour end an hour later.
          and created_at >= ${from} - interval '1 hour' and created_at < ${from} + interval '4 hours'
      ) probes
      where not exists (select from ${target} where hour_at = ${from})
      group by web_id, status, outcome, reason, reason_code, reason_params, delay >> 15, response_ms >> 15
      order by web_id`)
    return true
  })
}

/**
 * Lets the packed day take the place of the other in one transaction, so that readers see one of them. Hours that differ in
 * the number of their probes, as after late ones, are packed again by the next run.
 * @returns whether it is replaced
 */
function replacePartition(db: Database, day: Day): Promise<boolean> {
  const [source, target] = [tableOf('statistics', day), tableOf('packed_statistics', day)]
  const { from, to } = spanOf(day)
  return whileUnpacked(db, day, async (tx) => {
    await tx.execute(sql`lock table ${source} in share mode`)
    const { rowCount: repeated } = await tx.execute(sql`
      with unpacked as (
        select date_bin('1 hour', round_at, 'epoch') as hour_at, count(*) as probes from ${source} group by 1
      ), packed as (select hour_at, sum(cardinality(rounds)) as probes from ${target} group by 1),
      different as (
        select hour_at from unpacked full join packed using (hour_at) where unpacked.probes is distinct from packed.probes
      ), deleted as (delete from ${target} where hour_at in (select hour_at from different))
      select from different`)
    if (repeated !== 0) return false
    await limitLockWait(tx)
    await tx.execute(sql`select replace_statistics_partition(${day}, ${time(from)}, ${time(to)})`)
    return true
  })
}
