import type { Transaction } from '@kustos/database/client'
import { alertEscalations, attentionHandling, incidents } from '@kustos/database/tables'
import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { assignTo, dueAfter, readReach, readRouteNames } from '../alert-routes/index.ts'
import { auditInTransaction, type LogEntry } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { toError } from '../platform/errors.ts'
import { isAnyOf } from '../platform/is-any-of.ts'
import { lockInTransaction } from '../platform/locks.ts'
import { type AlertTools, enqueueAlerts, writeEscalation } from './alerts/index.ts'
import { isNotMuted } from './muting.ts'
import { presentOpened, readIncidents } from './read-incidents.ts'

type Row = typeof alertEscalations.$inferSelect

interface Group {
  /** The incident, or the outage that the incidents belong to. */
  readonly root: number
  /** The member that is ahead, whose steps hold for all. */
  readonly lead: Row
  readonly rows: readonly [Row, ...Row[]]
}

/**
 * Takes the next step of routes whose incidents nobody has acknowledged in time, once for all webs of an outage. What was told, by
 * whom, and the next time are stored with the alerts, so that a worker that dies neither repeats nor forgets a step.
 * @returns the number of incidents and outages; null if none was due
 */
export async function escalateIncidents(
  context: Context,
  tools: AlertTools,
): Promise<{ readonly escalated: number } | null> {
  const now = context.now()
  const isDue = isDueAt(now)
  // Without the lock, which evaluations of rounds hold for long.
  const [due] = await context.db
    .select({ due: alertEscalations.due_at })
    .from(alertEscalations)
    .where(isDue)
    .limit(1)
  if (due === undefined) return null
  const { escalated, ids } = await context.db.transaction(async (tx) => {
    await lockInTransaction(tx, 'judgement')
    await context.assertLease?.(tx)
    await tx
      .update(alertEscalations)
      .set({ due_at: null })
      .where(sql`${isDue} and exists (
        select from ${incidents} i where i.id = ${alertEscalations.incident_id} and i.ended_at is not null)`)
    const ids: number[] = []
    let escalated = 0
    for (const group of await readDue(tx, now)) {
      try {
        // What fails for one incident must not hold up the others.
        const taken = await tx.transaction((step) => takeStep(context, step, group, tools, now))
        if (taken === null) continue
        ids.push(...taken)
        escalated += 1
      } catch (error) {
        tools.onError(toError(error))
      }
    }
    return { escalated, ids }
  })
  await enqueueAlerts(tools, ids)
  return escalated === 0 ? null : { escalated }
}

const isDueAt = (now: Date): SQL => sql`${alertEscalations.due_at} <= ${now.toISOString()}::timestamptz`

const isAcknowledged = sql`exists (
  select from ${attentionHandling} h where h.kind = 'web_down' and h.subject_id = ${incidents.web_id}
    and h.since = ${incidents.started_at} and h.acknowledged_at is not null)`

/**
 * Those that take a step or catch up, by outage and route: all that nothing holds back. Also one that is held back may be ahead, unless
 * its next step is due already: then the others go on without it.
 */
async function readDue(tx: Transaction, now: Date): Promise<Group[]> {
  const root = sql<number>`coalesce(${incidents.outage_id}, ${incidents.id})`.mapWith(Number)
  const due = tx
    .select({ root })
    .from(alertEscalations)
    .innerJoin(incidents, eq(incidents.id, alertEscalations.incident_id))
    .where(isDueAt(now))
  const found = await tx
    .select({
      root,
      row: alertEscalations,
      isHeld: sql<boolean>`${isAcknowledged} or not (${isNotMuted(tx, now)})`,
    })
    .from(alertEscalations)
    .innerJoin(incidents, eq(incidents.id, alertEscalations.incident_id))
    .where(and(isNull(incidents.ended_at), inArray(root, due)))
    .orderBy(root, alertEscalations.route_id, alertEscalations.incident_id)
  return [...Map.groupBy(found, (one) => `${one.root} ${one.row.route_id}`).values()].flatMap((all) => {
    const [first, ...others] = all.filter(({ isHeld }) => !isHeld).map(({ row }) => row)
    if (first === undefined) return []
    const lead = all
      .filter(({ row, isHeld }) => !(isHeld && isPast(row.due_at, now)))
      .map(({ row }) => row)
      .reduce(ahead, first)
    const rows = [first, ...others] as const
    const isToChange = isPast(lead.due_at, now) || rows.some(({ done }) => done < lead.done)
    return isToChange ? [{ root: all[0]?.root ?? 0, lead, rows }] : []
  })
}

const isPast = (due: Date | null, now: Date): boolean => due !== null && due <= now
const ahead = (one: Row, other: Row): Row =>
  other.done > one.done || (other.done === one.done && timeOf(other) < timeOf(one)) ? other : one
const timeOf = ({ due_at }: Row): number => due_at?.getTime() ?? Number.POSITIVE_INFINITY

/**
 * Takes the next step of the member that is ahead, for all of them. Until it is due, those that were held back catch up with it.
 * @returns the ids of the alerts; null if there is no step
 */
async function takeStep(
  context: Context,
  tx: Transaction,
  { root, lead, rows }: Group,
  tools: AlertTools,
  now: Date,
): Promise<readonly number[] | null> {
  const { steps, done, due_at, route_name: route } = lead
  const ids = rows.map((row) => row.incident_id)
  const ofGroup = sql`${alertEscalations.route_id} = ${lead.route_id} and ${isAnyOf(alertEscalations.incident_id, ids)}`
  if (!isPast(due_at, now)) {
    await tx.update(alertEscalations).set({ steps, done, due_at }).where(ofGroup)
    return null
  }
  const step = steps[done]
  if (step === undefined) {
    await tx.update(alertEscalations).set({ due_at: null }).where(ofGroup)
    return null
  }
  const { channels, users } = (await readReach(tx, [step], now))(step)
  const open = await readIncidents(tx, isAnyOf(incidents.id, ids))
  const targets = { replacesChannels: false, channels, mails: users.map(({ email }) => email) }
  const alerts = await writeEscalation(tx, open.map(presentOpened), targets, { ...tools, now })
  const [assignee] = users
  if (assignee) await assignTo(tx, ids, assignee.id, now)
  await tx
    .update(alertEscalations)
    .set({
      steps,
      done: done + 1,
      due_at: dueAfter(steps, done + 1, now, alerts.length > 0),
      channel_ids: sql`${alertEscalations.channel_ids} || ${sql.param([...channels])}::int[]`,
      user_ids: sql`${alertEscalations.user_ids} || ${sql.param(users.map(({ id }) => id))}::int[]`,
    })
    .where(ofGroup)
  const names = await readRouteNames(tx, [{ node_ids: [], steps: [step] }])
  await recordIn(context, tx, {
    log: 'incidents',
    description: 'escalated',
    subject: { type: 'incident', id: root },
    attributes: {
      route,
      step: done + 1,
      channels: channels.flatMap((id) => names.channels.get(id) ?? []),
      on_call: users.map(({ email }) => email),
    },
  })
  return alerts
}

const recordIn = (context: Context, tx: Transaction, entry: LogEntry): Promise<void> =>
  auditInTransaction(context, tx, (audit) => audit.record(entry))
