import { DeliveryError } from '@kustos/clients/delivery'
import type { PagerDuty } from '@kustos/clients/pagerduty'
import type { IncidentKind } from '@kustos/contract/monitoring'
import type { Transaction } from '@kustos/database/client'
import type { SQL } from 'drizzle-orm'
import type { Context } from '../../platform/context.ts'
import { retryTransient } from '../../platform/retry.ts'
import {
  deleteEndedIncidents,
  deleteOpening,
  type KnownIncident,
  keyOf,
  moveToSuccessors,
  readKeys,
  readKnownIncidents,
  readLeftOpenings,
  readOpenIncidents,
  storeAcknowledged,
  storeAnnounced,
  storeOpening,
} from './channel-incidents.ts'
import { composeTrigger } from './pagerduty-trigger.ts'

export interface PagerDutyChannel {
  readonly id: number
  readonly pagerDuty: PagerDuty
}

interface Options {
  readonly publicUrl: string | null
  readonly signal: AbortSignal
}

/**
 * An incident that has become one of another kind opens an alert in place of the one before. PagerDuty would add a further event with
 * the same key to that one, and notifies nobody while it is acknowledged (https://support.pagerduty.com/main/docs/incidents). So that
 * is how it is told if somebody has acknowledged the incident, who need not be alerted again.
 *
 * The incidents of a message share an alert. It is acknowledged once all of them that are open are, and resolved with the last one.
 * @param messages the incidents that each message is about; only these open an alert
 * @returns the number of PagerDuty's alerts that have changed
 * @throws {DeliveryError} if it does not accept an event
 */
export async function updateIncidents(
  context: Context,
  channel: PagerDutyChannel,
  which: SQL | undefined,
  { messages, ...options }: Options & { readonly messages: readonly (readonly number[])[] },
): Promise<number> {
  const { db } = context
  const { id, pagerDuty } = channel
  const { signal, publicUrl } = options
  await moveToSuccessors(db, id)
  const rows = await readKnownIncidents(context, id, which)
  const opening = await groupOpening(db, id, rows, messages)
  const done = new Set<string>()
  const isFirst = (step: string) => {
    const isNew = !done.has(step)
    done.add(step)
    return isNew
  }
  let sent = 0
  for (const row of rows) {
    const { incident, announced, kind } = row
    const group = opening.get(incident.id)
    if (group !== undefined) {
      if (!isFirst(`open ${group.key}`)) continue
      await openAlert(context, channel, group, options)
      sent += 1
      continue
    }
    if (announced === null || row.isReplaced) continue
    const { key } = announced
    if (incident.ended_at !== null) {
      if (!isFirst(`resolve ${key}`) || (await readOpenIncidents(context, id, key)).hasOpen) continue
      await pagerDuty.resolve(key, signal)
      await deleteEndedIncidents(db, id, key)
    } else if (
      announced.state === 'triggered' &&
      row.isHandled &&
      isFirst(`acknowledge ${key}`) &&
      (await readOpenIncidents(context, id, key)).areHandled
    ) {
      await pagerDuty.acknowledge(key, signal)
      await storeAcknowledged(context, id, key)
    } else if (announced.kind !== kind && row.isHandled) {
      await pagerDuty.trigger(key, composeTrigger([row], kind, publicUrl), signal)
      await storeAnnounced(context, id, [incident.id], { state: announced.state, kind, key })
    } else continue
    sent += 1
  }
  return sent
}

/** Incidents that open one alert. */
interface Group {
  readonly key: string
  readonly kind: IncidentKind
  readonly rows: KnownIncident[]
}

/**
 * Repeated if it could not be stored: PagerDuty recognizes events by their key. But it is not repeated for incidents that have ended
 * meanwhile, whose alert would stay open: so storing it outlasts a database that is down for a while, and `resolveLeftOpenings` does
 * the rest if the process dies.
 */
async function openAlert(
  context: Context,
  { id, pagerDuty }: PagerDutyChannel,
  { key, kind, rows }: Group,
  { publicUrl, signal }: Options,
): Promise<void> {
  const ids = rows.map(({ incident }) => incident.id)
  await storeOpening(context, id, key, ids)
  try {
    await pagerDuty.trigger(key, composeTrigger(rows, kind, publicUrl), signal)
  } catch (error) {
    if (error instanceof DeliveryError && !error.isUnanswered) await deleteOpening(context.db, id, key)
    throw error
  }
  for (const former of new Set(rows.flatMap(({ announced }) => announced?.key ?? [])))
    if (!(await retryTransient(signal, () => readOpenIncidents(context, id, former, ids))).hasOpen)
      await pagerDuty.resolve(former, signal)
  await retryTransient(signal, () => storeAnnounced(context, id, ids, { state: 'triggered', kind, key }))
  await retryTransient(signal, () => deleteOpening(context.db, id, key))
}

/**
 * Resolves the alerts that a process was opening when it died, and whose incidents have ended since.
 * @returns their number
 * @throws {DeliveryError} if PagerDuty does not accept an event
 */
export async function resolveLeftOpenings(
  context: Context,
  { id, pagerDuty }: PagerDutyChannel,
  signal: AbortSignal,
): Promise<number> {
  const keys = await readLeftOpenings(context, id)
  for (const key of keys) {
    await pagerDuty.resolve(key, signal)
    await deleteOpening(context.db, id, key)
  }
  return keys.length
}

/** @returns by incident what opens an alert with it. A web that joins an outage shares the alert of the others. */
async function groupOpening(
  db: Transaction,
  channel: number,
  rows: readonly KnownIncident[],
  messages: readonly (readonly number[])[],
): Promise<ReadonlyMap<number, Group>> {
  // Of several messages the first one counts.
  const messageOf = new Map(messages.toReversed().flatMap((ids) => ids.map((id) => [id, ids] as const)))
  const opening = rows.filter(
    ({ incident, announced, kind, isHandled }) =>
      incident.ended_at === null &&
      messageOf.has(incident.id) &&
      (announced === null || (announced.kind !== kind && !isHandled)),
  )
  const keyOfOutage = await readKeys(
    db,
    channel,
    opening.flatMap(({ incident }) => incident.outage_id ?? []),
  )
  const groups = new Map<string, Group>()
  const byIncident = new Map<number, Group>()
  for (const row of opening) {
    const { incident, announced, kind } = row
    const ids = messageOf.get(incident.id) ?? []
    const alone = announced === null ? keyOf(incident.id) : `${keyOf(incident.id)}-${kind}`
    // The same in each attempt, whichever incidents have ended meanwhile.
    const own = ids.length > 1 ? `kustos-incidents-${ids[0]}-${kind}` : alone
    const outage = `${incident.outage_id} ${kind}`
    const key = (announced === null ? keyOfOutage.get(outage) : undefined) ?? own
    if (incident.outage_id !== null && !keyOfOutage.has(outage)) keyOfOutage.set(outage, key)
    const group: Group = groups.get(key) ?? { key, kind, rows: [] }
    group.rows.push(row)
    groups.set(key, group)
    byIncident.set(incident.id, group)
  }
  return byIncident
}
