import { englishMessages } from '@kustos/contract/messages/english'
import type { Transaction } from '@kustos/database/client'
import { incidents, probeRounds, transientFailure, webs } from '@kustos/database/tables'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { isAnyOf } from '../platform/is-any-of.ts'
import { tryLockInTransaction } from '../platform/locks.ts'
import { type AlertTools, announce, enqueueAlerts } from './alerts/index.ts'
import { monitoredWebs } from './monitored-webs.ts'
import { collectNotifications } from './notifications.ts'
import { updateOutages } from './outages.ts'
import { type MonitoringSettings, roundGraceMs } from './settings.ts'

/**
 * Evaluates the oldest finished round in one transaction: opens and ends incidents, marks webs as down or up, and writes
 * alerts. Two workers never evaluate at the same time.
 * @returns null if no round is due
 */
export async function evaluateRound(context: Context, alerts: AlertTools, settings: MonitoringSettings) {
  const now = context.now()
  const outcome = await context.db.transaction(async (tx) => {
    const round = await lockRound(tx, now)
    if (round === null) return null
    const sum = await countProbes(tx, round.at)
    const state = sum.probes >= selfOutageMinProbes && sum.failures === sum.probes ? 'unknown' : 'known'
    const transitions =
      state === 'known' ? await applyTransitions(tx, round, settings) : await discardRound(tx, round.at)
    const news = state === 'known' ? await collectNotifications(tx, round, transitions.ended, now) : null
    const messages = news === null ? [] : await announce(tx, news, { ...alerts, now })
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
    return { evaluated, messages }
  })
  if (outcome === null) return null
  await enqueueAlerts(alerts, outcome.messages)
  return outcome.evaluated
}

/** If all of at least this many webs fail at once, the fault is probably our own. */
const selfOutageMinProbes = 3

export interface Round {
  readonly at: Date
  readonly intervalMs: number
}

const endOf = ({ at, intervalMs }: Round): string => new Date(at.getTime() + intervalMs).toISOString()

/** Rounds are evaluated in order, since incidents continue from one to the next. */
async function lockRound(tx: Transaction, now: Date): Promise<Round | null> {
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
  return { at: round.at, intervalMs: round.interval * 1000 }
}

async function countProbes(tx: Transaction, at: Date): Promise<{ probes: number; failures: number }> {
  const { rows } = await tx.execute<{ probes: number; failures: number }>(sql`
    select count(*)::int as probes, (count(*) filter (where outcome not in ('up', ${transientFailure})))::int as failures
    from statistics where round_at = ${at.toISOString()}`)
  return rows[0] ?? { probes: 0, failures: 0 }
}

interface Transitions {
  /** Ids of incidents. */
  readonly opened: readonly number[]
  readonly ended: readonly number[]
}

/** Every probe failed, so that the round says nothing about the webs. */
async function discardRound(tx: Transaction, at: Date): Promise<Transitions> {
  await tx.execute(sql`update statistics set outcome = 'unknown' where round_at = ${at.toISOString()}`)
  return { opened: [], ended: [] }
}

async function applyTransitions(
  tx: Transaction,
  round: Round,
  settings: MonitoringSettings,
): Promise<Transitions> {
  const at = round.at.toISOString()
  // During an incident, a failure needs no second probe.
  await tx.execute(sql`
    update statistics s set outcome = 'down' from incidents i
    where s.round_at = ${at} and s.outcome = 'unconfirmed' and i.web_id = s.web_id and i.ended_at is null`)
  await writeGaps(tx, round)
  await tx.execute(sql`
    update incidents i set last_failed_at = greatest(i.last_failed_at, s.created_at),
      watched_until = greatest(i.watched_until, ${endOf(round)}::timestamptz, s.created_at)
    from statistics s
    where s.round_at = ${at} and s.outcome = 'down' and i.web_id = s.web_id and i.ended_at is null`)
  const ended = await endIncidents(tx, round, settings)
  const { rows: opened } = await tx.execute<{ id: number; web_id: number; started_at: string }>(sql`
    insert into incidents (web_id, started_at, last_failed_at, watched_until, status, reason, reason_code,
      reason_params)
    select s.web_id, s.created_at, s.created_at, greatest(${endOf(round)}::timestamptz, s.created_at), s.status,
      coalesce(s.reason, replace(${englishMessages.status_down}, '{{status}}', s.status::text)),
      case when s.reason is null then 'status_down' else s.reason_code end,
      case when s.reason is null then jsonb_build_object('status', s.status) else s.reason_params end
    from statistics s
    where s.round_at = ${at} and s.outcome = 'down'
      and s.web_id in (select id from webs where ${monitoredWebs(settings.internalMarker)})
      and not exists (select from incidents i where i.web_id = s.web_id and i.ended_at is null)
    order by s.web_id
    returning id, web_id, started_at`)
  await updateOutages(tx, round)
  await markWebs(tx)
  return { opened: opened.map(({ id }) => id), ended }
}

/**
 * If the rounds since a web's last failure have no result of it, the time from that failure's round to this probe does not
 * count as downtime.
 */
async function writeGaps(tx: Transaction, { at }: Round): Promise<void> {
  await tx.execute(sql`
    insert into incident_gaps (incident_id, started_at, ended_at)
    select i.id, i.watched_until, s.created_at
    from incidents i join statistics s on s.web_id = i.web_id and s.round_at = ${at.toISOString()}
    where i.ended_at is null and s.outcome in ('up', 'down') and s.round_at > i.watched_until
    on conflict do nothing`)
}

/**
 * Ends incidents whose web answers again or is not monitored any more. Rounds are evaluated in order, so a success comes
 * after the failure even if the clock was set back.
 * @returns the ids of those whose web answers again
 */
async function endIncidents(
  tx: Transaction,
  { at }: Round,
  { internalMarker }: MonitoringSettings,
): Promise<readonly number[]> {
  const { rows: answered } = await tx.execute<{ id: number }>(sql`
    update incidents i set ended_at = greatest(i.started_at, s.created_at) from statistics s
    where s.round_at = ${at.toISOString()} and s.outcome = 'up' and i.web_id = s.web_id
      and i.ended_at is null
    returning i.id`)
  await tx
    .update(incidents)
    .set({
      ended_at: sql`greatest(${incidents.started_at}, least(${incidents.watched_until}, now()))`,
    })
    .where(
      and(
        isNull(incidents.ended_at),
        sql`${incidents.web_id} not in (select id from webs where ${monitoredWebs(internalMarker)})`,
      ),
    )
  return answered.map(({ id }) => id)
}

/** Writes since when webs are down, only where that changes. */
async function markWebs(tx: Transaction): Promise<void> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    select w.id from webs w left join incidents i on i.web_id = w.id and i.ended_at is null
    where (w.down_since is not null or i.id is not null) and w.down_since is distinct from i.started_at
    order by w.id for no key update of w`)
  if (rows.length === 0) return
  await tx
    .update(webs)
    .set({
      down_since: sql`(select started_at from incidents where web_id = ${webs.id} and ended_at is null)`,
    })
    .where(
      isAnyOf(
        webs.id,
        rows.map(({ id }) => id),
      ),
    )
}
