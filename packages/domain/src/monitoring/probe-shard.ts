import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Probed } from '@kustos/clients/probe'
import type { JobOutcome } from '@kustos/clients/queue'
import { isUp } from '@kustos/contract/monitoring'
import { probeRounds, probeShards, statistics, webs } from '@kustos/database/tables'
import { and, eq, isNull, or, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { retryTransient } from '../platform/retry.ts'
import type { ProbeShard } from './jobs.ts'
import { monitoredWebs } from './monitored.ts'
import type { Probing } from './probing.ts'
import { openRoundBook, type WebFacts } from './result-buffer.ts'
import { type MonitoringSettings, roundGraceMs } from './settings.ts'

interface Watched extends WebFacts {
  readonly fqdn: string
  readonly isDown: boolean
  /** Whether an earlier run of this job has seen it fail already. */
  readonly hasFailed: boolean
}

/**
 * Probes the webs of a shard, spread over its share of the round, and once more those that fail. Begun again, such as
 * after the death of its worker, it goes on with the webs that have no probe in this round yet.
 */
export async function probeWebs(
  context: Context,
  { prober, limit, pulse, confirmAfter }: Probing,
  { internalMarker }: Pick<MonitoringSettings, 'internalMarker'>,
  shard: ProbeShard,
  stopping: AbortSignal,
): Promise<JobOutcome> {
  const signal = AbortSignal.any([stopping])
  // Every probe under way listens to it.
  setMaxListeners(0, signal)
  const roundAt = new Date(shard.round_at)
  // What comes later is not judged any more.
  const end = roundAt.getTime() + shard.interval * 1000 + roundGraceMs
  const isOver = () => signal.aborted || Date.now() > end
  const state = await retryTransient(signal, () => stateOf(context, roundAt, shard.shard))
  if (state === 'done' || isOver()) return 'over'
  if (state === 'not begun') return { retryInMs: uncommitted }
  const watched = await retryTransient(signal, () => websOf(context, internalMarker, roundAt, shard))
  const book = openRoundBook(context, roundAt, signal)
  const probe = async (web: Watched): Promise<Probed | null> => {
    const probed = await limit(() => (isOver() ? null : prober.probe(web.fqdn, signal)))
    if (probed === null || signal.aborted) return null
    pulse.note(isUp(probed.status))
    return probed
  }

  async function watch(web: Watched, at: number): Promise<void> {
    let failedAt = Date.now() - confirmAfter
    if (!web.hasFailed) {
      await until(at, signal)
      const first = await probe(web)
      if (first === null) return
      book.enter(web, first, isUp(first.status) ? 'up' : 'unconfirmed')
      // What fails while an incident goes on needs no second probe: the round's judgement knows.
      if (isUp(first.status) || web.isDown) return
      failedAt = first.startedAt.getTime() + first.milliseconds
      await until(Date.now() + confirmAfter, signal)
    }
    const second = await probe(web)
    if (second === null) return
    if (isUp(second.status)) book.decide(web, second, 'blip')
    else book.decide(web, second, pulse.noSuccessSince(failedAt) ? 'unknown' : 'down')
  }

  const begin = Math.max(Date.parse(shard.begins_at), Date.now())
  const step = watched.length === 0 ? 0 : shard.spread / watched.length
  await Promise.all(watched.map((web, place) => watch(web, together(begin + place * step))))
  await book.close()
  if (signal.aborted) return { retryInMs: 0 }
  await retryTransient(signal, () => markDone(context, roundAt, shard.shard, watched.length))
  return 'over'
}

/** Its scheduler hands a round's jobs over before it commits the round. In milliseconds. */
const uncommitted = 200

async function stateOf(
  { db }: Context,
  roundAt: Date,
  shard: number,
): Promise<'not begun' | 'to do' | 'done'> {
  const [round] = await db
    .select({ judged: probeRounds.judged_at, probed: probeShards.shard })
    .from(probeRounds)
    .leftJoin(probeShards, and(eq(probeShards.round_at, probeRounds.round_at), eq(probeShards.shard, shard)))
    .where(eq(probeRounds.round_at, roundAt))
  if (round === undefined) return 'not begun'
  return round.judged === null && round.probed === null ? 'to do' : 'done'
}

async function websOf(
  { db }: Context,
  internalMarker: string,
  roundAt: Date,
  { shard, shards }: ProbeShard,
): Promise<Watched[]> {
  const rows = await db
    .select({
      id: webs.id,
      fqdn: webs.fqdn_ascii,
      http_status_code: webs.http_status_code,
      cert_ca: webs.cert_ca,
      cert_expiration: webs.cert_expiration,
      down_since: webs.down_since,
      outcome: statistics.outcome,
    })
    .from(webs)
    .leftJoin(statistics, and(eq(statistics.web_id, webs.id), eq(statistics.round_at, roundAt)))
    .where(
      and(
        monitoredWebs(internalMarker),
        sql`${webs.id} % ${shards} = ${shard}`,
        or(isNull(statistics.outcome), and(eq(statistics.outcome, 'unconfirmed'), isNull(webs.down_since))),
      ),
    )
    .orderBy(webs.id)
  return rows.map(({ outcome, down_since, ...facts }) => ({
    ...facts,
    isDown: down_since !== null,
    hasFailed: outcome !== null,
  }))
}

async function markDone({ db }: Context, roundAt: Date, shard: number, count: number): Promise<void> {
  await db.insert(probeShards).values({ round_at: roundAt, shard, webs: count }).onConflictDoNothing()
}

/**
 * Probes of a large inventory begin some at a time: a process that wakes up for each of them alone finds nothing in the
 * processor's caches, which doubles what a probe costs (docs/benchmarks.md). In milliseconds.
 */
const beat = 50

const together = (at: number) => Math.ceil(at / beat) * beat

/** Ends early when the worker stops. */
async function until(at: number, signal: AbortSignal): Promise<void> {
  const left = at - Date.now()
  // Rejects when the worker stops, which whoever waits looks at next.
  if (left > 0) await sleep(left, undefined, { signal }).catch(() => undefined)
}
