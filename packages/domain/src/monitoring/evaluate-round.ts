import type { Heartbeat } from '@kustos/clients/heartbeat'
import type { Transaction } from '@kustos/database/client'
import { probeRounds, probeShards, transientFailure } from '@kustos/database/tables'
import { asc, eq, isNull, sql } from 'drizzle-orm'
import { recordPlannedDowntime } from '../maintenance/index.ts'
import type { Context } from '../platform/context.ts'
import { tryLockInTransaction } from '../platform/locks.ts'
import {
  type AlertTools,
  announce,
  announceDegradations,
  enqueueAlerts,
  type IncidentOpened,
} from './alerts/index.ts'
import { continueIncidents } from './continue-incidents.ts'
import { updateDegradations } from './degradations.ts'
import { applyDomainMoves } from './domain-moves.ts'
import { endAnswered, endUnmonitored } from './end-incidents.ts'
import { markWebs } from './mark-webs.ts'
import { collectNotifications } from './notifications.ts'
import { openIncidents } from './open-incidents.ts'
import { updateOutages } from './outages.ts'
import type { Round } from './round.ts'
import { type MonitoringSettings, roundGraceMs } from './settings.ts'

/**
 * Evaluates the oldest finished round in one transaction: opens and ends incidents, marks webs as down or up, and writes
 * alerts. Two workers never evaluate at the same time. The heartbeat is sent after rounds that are known and complete.
 * @returns null if no round is due
 */
export async function evaluateRound(
  context: Context,
  alerts: AlertTools,
  settings: MonitoringSettings,
  heartbeat: Pick<Heartbeat, 'beat'> | null = null,
) {
  const now = context.now()
  const outcome = await context.db.transaction(async (tx) => {
    const round = await lockRound(tx, now)
    if (round === null) return null
    const sum = await countProbes(tx, round.at)
    const controlsResponded = await readControls(tx, round.at)
    // No worker has probed anything: the round says nothing about the webs.
    const isUnprobed = !round.isComplete && sum.probes === 0
    const state = isUnprobed || isOwnOutage(sum, controlsResponded) ? 'unknown' : 'known'
    const transitions =
      state === 'known' ? await applyTransitions(tx, round, settings, now) : await discardRound(tx, round.at)
    if (state === 'known')
      await recordPlannedDowntime(tx, round, [...transitions.ended, ...transitions.unmonitored])
    const news = state === 'known' ? await collectNotifications(tx, transitions.ended, now) : null
    const everything =
      news !== null && controlsResponded ? await countIfEverything(tx, round.at, news.opened, sum) : null
    const messages =
      news === null
        ? []
        : [
            ...(await announce(tx, { ...news, everything }, { ...alerts, now })),
            ...(await announceDegradations(tx, transitions.recovered, { ...alerts, now })),
          ]
    await tx
      .update(probeRounds)
      .set({ judged_at: now, state, ...sum })
      .where(eq(probeRounds.round_at, round.at))
    const evaluated = {
      round: round.at,
      state,
      ...sum,
      opened: transitions.opened.length,
      ended: transitions.ended.length,
    }
    return { evaluated, messages, isHealthy: state === 'known' && round.isComplete }
  })
  if (outcome === null) return null
  await enqueueAlerts(alerts, outcome.messages)
  // A service that does not respond must not delay the evaluation, which has been stored.
  if (outcome.isHealthy) await heartbeat?.beat().catch(alerts.onError)
  return outcome.evaluated
}

/** If all of at least this many webs fail at once, the fault is probably our own, unless controls say otherwise. */
const selfOutageMinProbes = 3

/** @param controlsResponded null if none were asked */
function isOwnOutage({ probes, failures }: Probes, controlsResponded: boolean | null): boolean {
  if (failures < probes || probes === 0) return false
  return controlsResponded === null ? probes >= selfOutageMinProbes : !controlsResponded
}

/** Whether the controls responded to every shard that had no success; null if none was without, or there are no controls. */
async function readControls(tx: Transaction, at: Date): Promise<boolean | null> {
  const [asked] = await tx
    .select({ responded: sql<boolean | null>`bool_and(${probeShards.controls_responded})` })
    .from(probeShards)
    .where(eq(probeShards.round_at, at))
  return asked?.responded ?? null
}

/** The share of a round's webs that must have failed one after the other until its end before it counts as everything. */
const everythingShare = 2 / 3

/** @returns the number of webs that were probed since the first of many incidents began, if all of them failed and most have */
async function countIfEverything(
  tx: Transaction,
  at: Date,
  opened: readonly IncidentOpened[],
  all: Probes,
): Promise<number | null> {
  if (opened.length < selfOutageMinProbes) return null
  const since = new Date(Math.min(...opened.map(({ startedAt }) => startedAt.getTime())))
  const sum = await countProbes(tx, at, since)
  return sum.failures === sum.probes && sum.probes > all.probes * everythingShare ? sum.probes : null
}

/** Rounds are evaluated in order, since incidents continue from one to the next. */
async function lockRound(
  tx: Transaction,
  now: Date,
): Promise<(Round & { readonly isComplete: boolean }) | null> {
  if (!(await tryLockInTransaction(tx, 'judgement'))) return null
  const [round] = await tx
    .select({
      at: probeRounds.round_at,
      interval: probeRounds.interval_seconds,
      shards: probeRounds.shards,
    })
    .from(probeRounds)
    .where(isNull(probeRounds.judged_at))
    .orderBy(asc(probeRounds.round_at))
    .limit(1)
    // Waits for workers that still write results of it; later ones write nothing.
    .for('update')
  if (!round) return null
  const end = round.at.getTime() + round.interval * 1000
  const { rows: done } = await tx.execute<{ shards: number }>(
    sql`select count(*)::int as shards from probe_shards where round_at = ${round.at.toISOString()}`,
  )
  const isComplete = done[0]?.shards === round.shards && now.getTime() >= (round.shards === 0 ? end : 0)
  if (!isComplete && now.getTime() < end + roundGraceMs) return null
  return { at: round.at, intervalMs: round.interval * 1000, isComplete: done[0]?.shards === round.shards }
}

interface Probes {
  readonly probes: number
  readonly failures: number
}

/** @param since counts only probes that began since then */
async function countProbes(tx: Transaction, at: Date, since?: Date): Promise<Probes> {
  const { rows } = await tx.execute<{ probes: number; failures: number }>(sql`
    select count(*)::int as probes, (count(*) filter (where outcome not in ('up', 'degraded', ${transientFailure})))::int as failures
    from statistics
    where round_at = ${at.toISOString()} ${since === undefined ? sql`` : sql`and created_at >= ${since.toISOString()}`}`)
  return rows[0] ?? { probes: 0, failures: 0 }
}

interface Transitions {
  /** Ids of incidents. */
  readonly opened: readonly number[]
  readonly ended: readonly number[]
  /** Those that have ended because the web is no longer monitored, which is not announced. */
  readonly unmonitored: readonly number[]
  /** Ids of degradations that have ended. */
  readonly recovered: readonly number[]
}

/** Every probe failed, so that the round says nothing about the webs. */
async function discardRound(tx: Transaction, at: Date): Promise<Transitions> {
  await tx.execute(sql`update statistics set outcome = 'unknown' where round_at = ${at.toISOString()}`)
  return { opened: [], ended: [], unmonitored: [], recovered: [] }
}

async function applyTransitions(
  tx: Transaction,
  round: Round,
  settings: MonitoringSettings,
  now: Date,
): Promise<Transitions> {
  const returned = await applyDomainMoves(tx, round, settings.internalMarker, now)
  await continueIncidents(tx, round)
  const ended = [...returned, ...(await endAnswered(tx, round))]
  const unmonitored = await endUnmonitored(tx, settings.internalMarker)
  const opened = await openIncidents(tx, round, settings)
  await updateOutages(tx, round)
  await markWebs(tx)
  const recovered = await updateDegradations(tx, round, settings.internalMarker)
  return { opened: opened.map(({ id }) => id), ended, unmonitored, recovered }
}
