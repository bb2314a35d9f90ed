import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Probed } from '@kustos/clients/probe'
import type { JobOutcome } from '@kustos/clients/queue'
import {
  degradations,
  probeRounds,
  probeShards,
  seenPages,
  statistics,
  transientFailure,
  webs,
} from '@kustos/database/tables'
import { and, eq, gte, isNull, lt, or, sql } from 'drizzle-orm'
import { defaultWebCheck, loadChecks } from '../checks/index.ts'
import type { Context } from '../platform/context.ts'
import { retryTransient } from '../platform/retry.ts'
import type { ProbeShard } from './jobs.ts'
import { type Judged, judgeProbe } from './judge-probe.ts'
import { monitoredWebs } from './monitored-webs.ts'
import type { Probing } from './probing.ts'
import { type CheckedWeb, createResultBuffer } from './result-buffer.ts'
import { type MonitoringSettings, roundGraceMs } from './settings.ts'

interface ShardWeb extends CheckedWeb {
  readonly fqdn: string
  readonly isDown: boolean
  readonly isDegraded: boolean
  /** Whether an earlier run of this job has seen it fail. */
  readonly hasFailed: boolean
}

/**
 * Probes the webs of a shard, spread over its share of the round, and a second time those whose state differs from before. When
 * it is run again, for example after its worker died, it continues with the webs that have no result in this round yet.
 */
export async function probeWebs(
  context: Context,
  { prober, limit, successes, witness, pauses, confirmAfterMs, onOpened, controls, secretBox }: Probing,
  { internalMarker }: Pick<MonitoringSettings, 'internalMarker'>,
  shard: ProbeShard,
  stopping: AbortSignal,
): Promise<JobOutcome> {
  const signal = AbortSignal.any([stopping])
  // Every running probe listens to it.
  setMaxListeners(0, signal)
  const roundAt = new Date(shard.round_at)
  // Later results are not evaluated any more.
  const end = roundAt.getTime() + shard.interval * 1000 + roundGraceMs
  const mustStop = () => signal.aborted || Date.now() > end
  const state = await retryTransient(signal, () => readShardState(context, roundAt, shard.shard))
  if (state === 'done' || mustStop()) return 'done'
  if (state === 'not begun') return { retryInMs: uncommittedRetryMs }
  const shardWebs = await retryTransient(signal, () =>
    readShardWebs(context, secretBox, internalMarker, roundAt, shard),
  )
  const round = { at: roundAt, intervalMs: shard.interval * 1000 }
  const results = createResultBuffer(context, round, { internalMarker, onOpened, signal })
  let leftOut = 0
  let hasSuccess = false
  const request = (web: ShardWeb, until: AbortSignal): Promise<Probed> =>
    prober.probe(web.fqdn, until, {
      requiresTls: web.cert_expiration !== null,
      check: web.check.request,
    })
  const isAnswering = async (web: ShardWeb, until: AbortSignal): Promise<boolean> =>
    judgeProbe(web.check, await request(web, until), false).state !== 'down'
  /** Probes again if this process, rather than the web, may be why no response came. */
  const probe = async (web: ShardWeb): Promise<Judged | null> => {
    const probed = await limit(() => (mustStop() ? null : request(web, signal)))
    if (probed === null || signal.aborted) {
      leftOut += 1
      return null
    }
    if (probed.status === null && pauses.hasPausedSince(probed.startedAt.getTime())) return probe(web)
    const judged = judgeProbe(web.check, probed, web.seenUrl === web.url)
    // It says nothing about the web.
    if (lacksIpv6(probed)) return judged
    const hasAnswered = judged.state !== 'down'
    hasSuccess ||= hasAnswered
    successes.record(hasAnswered ? (until) => isAnswering(web, until) : null, roundAt)
    return judged
  }

  /** A web that was down or degraded is up with the first of two good probes, and one that was up is degraded with two degraded ones. */
  async function confirmChange(web: ShardWeb, first: Judged): Promise<void> {
    await sleepUntil(Date.now() + confirmAfterMs, signal)
    const second = await probe(web)
    if (second === null) return
    if (second.state === 'down')
      return results.add(web, second, lacksIpv6(second.probed) ? 'unknown' : 'unconfirmed')
    if (first.state === second.state) return results.add(web, first, second.state)
    if (web.isDown) return results.add(web, first, 'up')
    if (web.isDegraded) return results.add(web, second, 'degraded')
    results.add(web, first, transientFailure)
  }

  async function probeWeb(web: ShardWeb, at: number): Promise<void> {
    let failedAt = Date.now() - confirmAfterMs
    if (!web.hasFailed) {
      await sleepUntil(at, signal)
      const first = await probe(web)
      if (first === null) return
      if (lacksIpv6(first.probed)) return results.add(web, first, 'unknown')
      if (first.state !== 'down') {
        const isExpected = !web.isDown && (first.state === 'degraded') === web.isDegraded
        return isExpected ? results.add(web, first, first.state) : confirmChange(web, first)
      }
      results.add(web, first, 'unconfirmed')
      // A failure during an open incident needs no second probe; `evaluateRound` takes it as down.
      if (web.isDown) return
      failedAt = first.probed.startedAt.getTime() + first.probed.milliseconds
      await sleepUntil(Date.now() + confirmAfterMs, signal)
    }
    const second = await probe(web)
    if (second === null) return
    if (lacksIpv6(second.probed)) return results.confirm(web, second, 'unknown')
    if (second.state !== 'down') return results.confirm(web, second, transientFailure)
    if (!successes.hasSuccessInRound(roundAt, failedAt)) await witness(roundAt, signal)
    if (successes.hasSuccessInRound(roundAt, failedAt)) return results.confirm(web, second, 'down', true)
    // If nothing of the round answers, the evaluation decides, which sees the whole round.
    const isOurs = controls === null ? successes.noSuccessSince(failedAt) : !(await controls.respond())
    results.confirm(web, second, isOurs ? 'unknown' : 'down')
  }

  const begin = Math.max(Date.parse(shard.begins_at), Date.now())
  const step = shardWebs.length === 0 ? 0 : shard.spread / shardWebs.length
  await Promise.all(shardWebs.map((web, place) => probeWeb(web, alignToTick(begin + place * step))))
  await results.close()
  if (signal.aborted) return { retryInMs: 0 }
  // It came too late for them, so that the round is evaluated without this shard.
  if (leftOut > 0) return 'done'
  const needsControls = !hasSuccess && shardWebs.length > 0
  const controlsResponded = needsControls && controls !== null ? await controls.respond() : null
  await retryTransient(signal, () =>
    markDone(context, {
      round_at: roundAt,
      shard: shard.shard,
      webs: shardWebs.length,
      controls_responded: controlsResponded,
    }),
  )
  return 'done'
}

/** A worker without IPv6 knows nothing of a web that has only IPv6. */
const lacksIpv6 = ({ reason }: Probed): boolean => reason?.code === 'ipv6_missing'

/** A scheduler enqueues a round's jobs before it commits the round. */
const uncommittedRetryMs = 200

async function readShardState(
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

async function readShardWebs(
  { db }: Context,
  secretBox: Probing['secretBox'],
  internalMarker: string,
  roundAt: Date,
  shard: ProbeShard,
): Promise<ShardWeb[]> {
  const rows = await db
    .select({
      id: webs.id,
      fqdn: webs.fqdn_ascii,
      http_status_code: webs.http_status_code,
      cert_ca: webs.cert_ca,
      cert_from: webs.cert_from,
      cert_expiration: webs.cert_expiration,
      down_since: webs.down_since,
      outcome: statistics.outcome,
      degradation: degradations.id,
      seenUrl: seenPages.url,
    })
    .from(webs)
    .leftJoin(statistics, and(eq(statistics.web_id, webs.id), eq(statistics.round_at, roundAt)))
    .leftJoin(degradations, and(eq(degradations.web_id, webs.id), isNull(degradations.ended_at)))
    .leftJoin(seenPages, eq(seenPages.web_id, webs.id))
    .where(
      and(
        monitoredWebs(internalMarker),
        isOfShard(shard),
        or(isNull(statistics.outcome), and(eq(statistics.outcome, 'unconfirmed'), isNull(webs.down_since))),
      ),
    )
    .orderBy(webs.id)
  const ids = rows.map(({ id }) => id)
  const checks = await loadChecks(db, ids, secretBox)
  return rows.map(({ outcome, down_since, degradation, ...facts }) => {
    const check = checks.get(facts.id) ?? defaultWebCheck
    return {
      ...facts,
      check,
      url: facts.fqdn + check.path,
      isDown: down_since !== null,
      isDegraded: degradation !== null,
      hasFailed: outcome !== null,
    }
  })
}

/** A scheduler of the last release gives no range of ids. */
const isOfShard = ({ ids, shard, shards }: ProbeShard) =>
  ids === undefined
    ? sql`${webs.id} % ${shards} = ${shard}`
    : and(gte(webs.id, ids.from), ids.to === null ? undefined : lt(webs.id, ids.to))

/** Does nothing if the round has been evaluated since, without the last results of the shard. */
async function markDone({ db }: Context, done: typeof probeShards.$inferInsert): Promise<void> {
  await db.transaction(async (tx) => {
    const [open] = await tx
      .select({ at: probeRounds.round_at })
      .from(probeRounds)
      .where(and(eq(probeRounds.round_at, done.round_at), isNull(probeRounds.judged_at)))
      .for('share')
    if (open) await tx.insert(probeShards).values(done).onConflictDoNothing()
  })
}

/**
 * Probes of a large inventory begin in batches: a process that wakes up for each of them finds nothing in the processor's
 * caches, which doubles the cost of a probe (docs/benchmarks.md).
 */
const tickMs = 50

const alignToTick = (at: number) => Math.ceil(at / tickMs) * tickMs

/** Ends early when the worker stops. */
async function sleepUntil(at: number, signal: AbortSignal): Promise<void> {
  const left = at - Date.now()
  // Rejects when the worker stops, which the caller checks next.
  if (left > 0) await sleep(left, undefined, { signal }).catch(() => undefined)
}
