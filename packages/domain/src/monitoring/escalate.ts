import type { Transaction } from '@kustos/database/client'
import { alertEscalations, attentionHandling, incidents } from '@kustos/database/tables'
import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
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
  const isDue = sql`${alertEscalations.due_at} <= ${now.toISOString()}::timestamptz`
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

const isAcknowledged = sql`exists (
  select from ${attentionHandling} h where h.kind = 'web_down' and h.subject_id = ${incidents.web_id}
    and h.since = ${incidents.started_at} and h.acknowledged_at is not null)`

/** Those of which one is due, with all others of the same outage and route. */
async function readDue(tx: Transaction, now: Date): Promise<Group[]> {
  const root = sql<number>`coalesce(${incidents.outage_id}, ${incidents.id})`.mapWith(Number)
  const open: SQL | undefined = and(
    isNotNull(alertEscalations.due_at),
    isNull(incidents.ended_at),
    sql`not ${isAcknowledged}`,
    isNotMuted(tx, now),
  )
  const found = await tx
    .select({ root, row: alertEscalations })
    .from(alertEscalations)
    .innerJoin(incidents, eq(incidents.id, alertEscalations.incident_id))
    .where(open)
    .orderBy(root, alertEscalations.route_id, alertEscalations.incident_id)
  return [...Map.groupBy(found, (one) => `${one.root} ${one.row.route_id}`).values()].flatMap((all) => {
    const [first, ...others] = all.map(({ row }) => row)
    const isGroupDue = all.some(({ row }) => row.due_at !== null && row.due_at <= now)
    return first && isGroupDue ? [{ root: all[0]?.root ?? 0, rows: [first, ...others] as const }] : []
  })
}

/** Takes the next step of the member that is ahead, for all of them. @returns the ids of the alerts; null if there is no step */
async function takeStep(
  context: Context,
  tx: Transaction,
  { root, rows }: Group,
  tools: AlertTools,
  now: Date,
): Promise<readonly number[] | null> {
  const {
    steps,
    done,
    route_name: route,
  } = rows.reduce((ahead, row) => (row.done > ahead.done ? row : ahead))
  const step = steps[done]
  const ids = rows.map((row) => row.incident_id)
  const ofGroup = sql`${alertEscalations.route_id} = ${rows[0].route_id} and ${isAnyOf(alertEscalations.incident_id, ids)}`
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
