import type { Queues } from '@kustos/clients/queue'
import type { Transaction } from '@kustos/database/client'
import { probeRounds, webs } from '@kustos/database/tables'
import { eq, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { dayAfter, dayOf } from './day.ts'
import { type ProbeShard, probeShard, probeShardJob } from './jobs.ts'
import { monitoredWebs } from './monitored-webs.ts'
import { ensurePartition } from './partitions.ts'
import type { MonitoringSettings } from './settings.ts'

/** In a large inventory. */
const maxShardWebs = 250
/** In a small inventory. Results appear on the screens when their shard ends. */
const maxShardSeconds = 5

/**
 * Begins the round that is due: divides the monitored webs into shards and enqueues a delayed job for each. Of several
 * schedulers the one that inserts the round's row begins it. The ids of its jobs follow from the round, so that a
 * scheduler that takes over adds none twice.
 * @returns null if no round is due
 */
export async function scheduleRound(
  context: Context,
  tools: { readonly queues: Pick<Queues, 'addAll'> },
  { intervalSeconds, internalMarker }: MonitoringSettings,
): Promise<{ readonly webs: number; readonly shards: number } | null> {
  const { db } = context
  const now = context.now()
  const at = Math.floor(now.getTime() / (intervalSeconds * 1000)) * intervalSeconds * 1000
  const left = at + intervalSeconds * 1000 - now.getTime()
  // In less than half of the interval the probes would come in a burst, and the next round is near.
  if (left < (intervalSeconds * 1000) / 2) return null
  const roundAt = new Date(at)
  const begun = await db
    .select({ at: probeRounds.round_at })
    .from(probeRounds)
    .where(eq(probeRounds.round_at, roundAt))
  if (begun.length > 0) return null
  const today = dayOf(roundAt)
  for (const day of [today, dayAfter(today, 1)]) await ensurePartition(db, day)

  return db.transaction(async (tx) => {
    const minShards = Math.floor(intervalSeconds / maxShardSeconds)
    const { monitored, firstIds } = await divideWebs(tx, internalMarker, minShards)
    const shards = firstIds.length
    const ours = await tx
      .insert(probeRounds)
      .values({ round_at: roundAt, interval_seconds: intervalSeconds, shards })
      .onConflictDoNothing()
      .returning({ at: probeRounds.round_at })
    if (ours.length === 0) return null
    const share = Math.floor(left / Math.max(1, shards))
    const payloads = Array.from(
      { length: shards },
      (_, shard): ProbeShard => ({
        round_at: roundAt.toISOString(),
        shard,
        shards,
        ids: { from: shard === 0 ? 0 : (firstIds[shard] ?? 0), to: firstIds[shard + 1] ?? null },
        interval: intervalSeconds,
        begins_at: new Date(now.getTime() + shard * share).toISOString(),
        spread: share,
      }),
    )
    await tools.queues.addAll(
      probeShard.queue,
      payloads.map((payload) => probeShardJob(payload, now)),
    )
    return { webs: monitored, shards }
  })
}

/**
 * Divides the monitored webs into shards of ids that follow each other, which are read by their key. Webs that are added
 * meanwhile belong to the last one. One statement counts and divides them: with a count from before a web was deleted, a shard
 * without webs would have all of them.
 * @param minShards if there are as many webs
 * @returns the number of webs, and the first id of each shard
 */
async function divideWebs(
  tx: Transaction,
  internalMarker: string,
  minShards: number,
): Promise<{ readonly monitored: number; readonly firstIds: readonly number[] }> {
  const { rows } = await tx.execute<{ first: number; webs: number }>(sql`
    with monitored as materialized (select id from ${webs} where ${monitoredWebs(internalMarker)}),
    counted as (select count(*)::int as webs from monitored)
    select min(id) as first, sum(count(*)) over ()::int as webs
    from (
      select id, ntile(
        (select least(webs, greatest(ceil(webs / ${maxShardWebs}::float8)::int, ${minShards}::int)) from counted)
      ) over (order by id) as shard
      from monitored
    ) divided
    group by shard order by shard`)
  return { monitored: rows[0]?.webs ?? 0, firstIds: rows.map(({ first }) => first) }
}
