import { englishMessages } from '@kustos/contract/messages/english'
import type { Transaction } from '@kustos/database/client'
import { incidents, probeRounds, webs } from '@kustos/database/tables'
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { tryLockInTransaction } from '../platform/locks.ts'
import { type AlertTools, announce, enqueueAlerts } from './alerts/index.ts'
import { monitoredWebs } from './monitored.ts'
import { collectNotifications } from './notifications.ts'
import { type MonitoringSettings, roundGraceMs } from './settings.ts'

export interface EvaluatedRound {
  readonly round: Date
  readonly state: 'known' | 'unknown'
  readonly probes: number
  readonly failures: number
  readonly opened: number
  readonly ended: number
}

/**
 * Judges the oldest round that is over, with all that follows from it in one transaction: incidents begin and end, webs
 * are down or up, and who has to hear of it gets messages. Two workers never judge at the same time.
 * @returns null where there is none to judge
 */
export async function evaluateRound(
  context: Context,
  alerts: AlertTools,
  settings: MonitoringSettings,
): Promise<EvaluatedRound | null> {
  const now = context.now()
  const outcome = await context.db.transaction(async (tx) => {
    const round = await takeRound(tx, now)
    if (round === null) return null
    const sum = await countProbes(tx, round.at)
    const state = sum.probes >= selfOutageMinProbes && sum.failures === sum.probes ? 'unknown' : 'known'
    const moved =
      state === 'known' ? await applyTransitions(tx, round, settings) : await discardRound(tx, round.at)
    const news = state === 'known' ? await collectNotifications(tx, round, moved.ended, now) : null
    const messages = news === null ? [] : await announce(tx, news, { ...alerts, now })
    await tx
      .update(probeRounds)
      .set({ judged_at: now, state, ...sum })
      .where(eq(probeRounds.round_at, round.at))
    const judged: EvaluatedRound = {
      round: round.at,
      state,
      ...sum,
      opened: moved.opened.length,
      ended: moved.ended.length,
    }
    return { judged, messages }
  })
  if (outcome === null) return null
  await enqueueAlerts(alerts, outcome.messages)
  return outcome.judged
}

/** A single web that fails is down; that every one of several fails at once is the likelier our own doing. */
const selfOutageMinProbes = 3

export interface Round {
  readonly at: Date
  /** In milliseconds. */
  readonly interval: number
}

const endOf = ({ at, interval }: Round): string => new Date(at.getTime() + interval).toISOString()

/** Rounds are judged in their order: incidents go on from one to the next. */
async function takeRound(tx: Transaction, now: Date): Promise<Round | null> {
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
    // Whoever still writes into it is waited for, and writes no more afterwards.
    .for('update')
  if (!round) return null
  const end = round.at.getTime() + round.interval * 1000
  const { rows: done } = await tx.execute<{ shards: number }>(
    sql`select count(*)::int as shards from probe_shards where round_at = ${round.at.toISOString()}`,
  )
  const isComplete = done[0]?.shards === round.shards && now.getTime() >= (round.shards === 0 ? end : 0)
  if (!isComplete && now.getTime() < end + roundGraceMs) return null
  return { at: round.at, interval: round.interval * 1000 }
}

async function countProbes(tx: Transaction, at: Date): Promise<{ probes: number; failures: number }> {
  const { rows } = await tx.execute<{ probes: number; failures: number }>(sql`
    select count(*)::int as probes, (count(*) filter (where outcome not in ('up', 'blip')))::int as failures
    from statistics where round_at = ${at.toISOString()}`)
  return rows[0] ?? { probes: 0, failures: 0 }
}

interface Moved {
  /** Ids of incidents. */
  readonly opened: readonly number[]
  readonly ended: readonly number[]
}

/** Every probe failed: Kustos suspects itself, and nothing is known of the webs for the round. */
async function discardRound(tx: Transaction, at: Date): Promise<Moved> {
  await tx.execute(sql`update statistics set outcome = 'unknown' where round_at = ${at.toISOString()}`)
  return { opened: [], ended: [] }
}

async function applyTransitions(tx: Transaction, round: Round, settings: MonitoringSettings): Promise<Moved> {
  const at = round.at.toISOString()
  // While an incident goes on, a failure needs no second probe.
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
  await markWebs(tx)
  return { opened: opened.map(({ id }) => id), ended }
}

/**
 * Where the rounds since the last one that saw a web fail did not see it, the time from that one's end to this probe
 * counts as no downtime.
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
 * Ends those whose web answers again, and those whose web is not watched any more. Rounds are judged one after the other,
 * so a good probe comes after the failure even where a clock that was set back says otherwise. @returns their ids
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

/** Says of webs since when they are down, of those alone for which that changes. */
async function markWebs(tx: Transaction): Promise<void> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    select w.id from webs w left join incidents i on i.web_id = w.id and i.ended_at is null
    where (w.down_since is not null or i.id is not null) and w.down_since is distinct from i.started_at
    order by w.id for no key update of w`)
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await tx
    .update(webs)
    .set({
      down_since: sql`(select started_at from incidents where web_id = ${webs.id} and ended_at is null)`,
    })
    .where(inArray(webs.id, ids))
}
