import type { Transaction } from '@kustos/database/client'
import { alertEscalations, attentionHandling, incidents } from '@kustos/database/tables'
import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { assignTo, dueAfter, readReach, readRouteNames } from '../alert-routes/index.ts'
import { auditInTransaction, entriesOf } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { toError } from '../platform/errors.ts'
import { isHandledAt } from '../platform/handling-state.ts'
import { isAnyOf } from '../platform/is-any-of.ts'
import { lockInTransaction } from '../platform/locks.ts'
import { type AlertTools, enqueueAlerts, writeEscalations } from './alerts/index.ts'
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

/** Rounds wait until a run is over. Those that are left are due in the next one, seconds later. */
const maxGroups = 1_000

/**
 * Takes the next step of routes whose incidents nobody has acknowledged in time, once for all webs of an outage. What was told, by
 * whom, and the next time are stored with the alerts, so that a worker that dies neither repeats nor forgets a step.
 * @param limit the number of incidents and outages of one run
 * @returns the number of incidents and outages; null if none was due
 */
export async function escalateIncidents(
  context: Context,
  tools: AlertTools,
  limit = maxGroups,
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
    const due = await readDue(tx, now)
    for (const alike of groupAlike(due.slice(0, limit), now)) {
      try {
        // What fails for one route must not hold up the others.
        const taken = await tx.transaction((step) => takeStep(context, step, alike, tools, now))
        if (taken === null) continue
        ids.push(...taken)
        escalated += alike.length
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

const isHandled = (now: Date): SQL => sql`exists (
  select from ${attentionHandling} h where h.kind = 'web_down' and h.subject_id = ${incidents.web_id}
    and h.since = ${incidents.started_at} and ${isHandledAt(now)})`

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
    .where(and(isDueAt(now), isNull(incidents.ended_at), sql`not ${isHandled(now)}`, isNotMuted(tx, now)))
  const found = await tx
    .select({
      root,
      row: alertEscalations,
      isHeld: sql<boolean>`${isHandled(now)} or not (${isNotMuted(tx, now)})`,
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

/** Those that have the same steps before them, so that one message is about all of them. */
function groupAlike(groups: readonly Group[], now: Date): (readonly [Group, ...Group[]])[] {
  const alike = Map.groupBy(groups, ({ lead: { route_id, steps, done, due_at } }) =>
    JSON.stringify([route_id, steps, done, isPast(due_at, now) ? null : [due_at]]),
  )
  return [...alike.values()].flatMap(([first, ...others]) => (first ? [[first, ...others] as const] : []))
}

/**
 * Takes the next step of the members that are ahead, for all of them. Until it is due, those that were held back catch up with them.
 * @returns the ids of the alerts; null if there is no step
 */
async function takeStep(
  context: Context,
  tx: Transaction,
  alike: readonly [Group, ...Group[]],
  tools: AlertTools,
  now: Date,
): Promise<readonly number[] | null> {
  const { steps, done, due_at, route_id, route_name: route } = alike[0].lead
  const ids = alike.flatMap(({ rows }) => rows.map((row) => row.incident_id))
  const ofThese = sql`${alertEscalations.route_id} = ${route_id} and ${isAnyOf(alertEscalations.incident_id, ids)}`
  if (!isPast(due_at, now)) {
    await tx.update(alertEscalations).set({ steps, done, due_at }).where(ofThese)
    return null
  }
  const step = steps[done]
  if (step === undefined) {
    await tx.update(alertEscalations).set({ due_at: null }).where(ofThese)
    return null
  }
  const { channels, users } = (await readReach(tx, [step], now))(step)
  const open = await readIncidents(tx, isAnyOf(incidents.id, ids))
  const targets = { replacesChannels: false, channels, mails: users.map(({ email }) => email) }
  const alerts = await writeEscalations(tx, open.map(presentOpened), targets, { ...tools, now })
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
    .where(ofThese)
  const names = await readRouteNames(tx, [{ node_ids: [], steps: [step] }])
  const attributes = {
    route,
    step: done + 1,
    channels: channels.flatMap((id) => names.channels.get(id) ?? []),
    on_call: users.map(({ email }) => email),
  }
  await auditInTransaction(context, tx, (audit) =>
    audit.recordAll(alike.map(({ root }) => ({ ...entryOf('escalated', root), attributes }))),
  )
  return alerts
}

const entryOf = entriesOf('incidents', 'incident')
