import { DeliveryError } from '@kustos/clients/delivery'
import type { PagerDuty } from '@kustos/clients/pagerduty'
import type { IncidentKind } from '@kustos/contract/monitoring'
import { alertChannels, alerts, channelIncidents, incidents, nodes, webs } from '@kustos/database/tables'
import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { recordFailure, recordSuccess } from '../../alert-channels/index.ts'
import type { Context } from '../../platform/context.ts'
import { toError } from '../../platform/errors.ts'
import { isAnyOf } from '../../platform/is-any-of.ts'
import { severityOfKind } from './alert-event.ts'
import { type Alert, isWaitingIn } from './delivery-stream.ts'
import { linksTo } from './message-parts.ts'
import { resolveWarnings, sendWarnings } from './pagerduty-warnings.ts'
import { channelTarget } from './targets.ts'
import type { DeliveryTools } from './tools.ts'

interface PagerDutyChannel {
  readonly id: number
  readonly pagerDuty: PagerDuty
}

interface Options {
  readonly publicUrl: string | null
  readonly signal: AbortSignal
}

const maxAlerts = 1_000

/**
 * Brings PagerDuty up to date with the incidents of everything that waits for it. An incident that was resolved before PagerDuty was
 * told of it is left out, as is such a warning.
 * @returns the ids of the alerts that are done by that
 * @throws {DeliveryError} if it does not accept an event; what it has accepted before is not sent again
 */
export async function sendToPagerDuty(
  context: Context,
  channel: PagerDutyChannel,
  alert: Alert,
  options: Options,
): Promise<readonly number[]> {
  const { content, event } = alert
  if ((event?.warnings ?? []).length > 0) {
    await sendWarnings(context, channel, alert, options.signal)
    return [alert.id]
  }
  if (alert.incidents === null || alert.incidents.length === 0) {
    await channel.pagerDuty.trigger(
      `kustos-alert-${alert.id}`,
      {
        summary: content.title,
        source: 'kustos',
        severity: event?.severity ?? 'warning',
        at: alert.created_at,
        details: { lines: content.lines },
        url: content.url,
      },
      options.signal,
    )
    return [alert.id]
  }
  const waiting = await context.db
    .select({ id: alerts.id, incidents: alerts.incidents })
    .from(alerts)
    .where(and(isWaitingIn(alert), sql`${alerts.incidents} <> '{}'`))
    .orderBy(asc(alerts.id))
    .limit(maxAlerts)
  const about = [...new Set(waiting.flatMap((row) => row.incidents ?? []))]
  await updateIncidents(context, channel, isAnyOf(incidents.id, about), { ...options, isAlert: true })
  return waiting.map(({ id }) => id)
}

/**
 * Tells PagerDuty of incidents that were acknowledged, and of incidents and warnings that ended without an alert, such as those of
 * webs that were taken off the watch. A failure is stored with the channel, and repeated by the next run.
 */
export async function updatePagerDuty(
  context: Context,
  tools: Pick<DeliveryTools, 'stored' | 'publicUrl' | 'onError'>,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ readonly updated: number } | null> {
  const channels = await context.db.select().from(alertChannels).where(eq(alertChannels.kind, 'pagerduty'))
  let updated = 0
  for (const row of channels) {
    try {
      const open = await tools.stored.open(row)
      if (open.kind !== 'incidents') continue
      const channel = { id: row.id, pagerDuty: open }
      const isKnown = sql`${channelIncidents.incident_id} is not null`
      const done =
        (await updateIncidents(context, channel, isKnown, {
          publicUrl: tools.publicUrl,
          signal,
          isAlert: false,
        })) + (await resolveWarnings(context, channel, signal))
      if (done > 0) await recordSuccess(context.db, channelTarget(row.id), context.now())
      updated += done
    } catch (error) {
      if (!(error instanceof DeliveryError)) {
        tools.onError(toError(error))
        continue
      }
      const failure = { error: error.message, isRefused: error.isPermanent }
      await recordFailure(context.db, channelTarget(row.id), failure, context.now())
    }
  }
  return updated === 0 ? null : { updated }
}

const isAcknowledged = sql<boolean>`exists (select 1 from attention_handling h where h.kind = 'web_down'
  and h.subject_id = ${incidents.web_id} and h.since = ${incidents.started_at} and h.acknowledged_at is not null)`

const keyOf = (incident: number) => `kustos-incident-${incident}`

/**
 * An incident that has become one of another kind opens an alert in place of the one before. PagerDuty would add a further event with
 * the same key to that one, and notifies nobody while it is acknowledged (https://support.pagerduty.com/main/docs/incidents). So that
 * is how it is told if somebody has acknowledged the incident, who need not be alerted again.
 * @param isAlert whether an alert is about the incidents; otherwise none is opened
 * @returns the number of incidents that it was told of
 */
async function updateIncidents(
  context: Context,
  { id, pagerDuty }: PagerDutyChannel,
  which: SQL | undefined,
  { publicUrl, signal, isAlert }: Options & { readonly isAlert: boolean },
): Promise<number> {
  const rows = await context.db
    .select({
      incident: incidents,
      fqdn: webs.fqdn,
      customer: webs.customer,
      node: nodes.name,
      told: channelIncidents,
      isAcknowledged,
    })
    .from(incidents)
    .innerJoin(webs, eq(webs.id, incidents.web_id))
    .leftJoin(nodes, eq(nodes.id, webs.node_id))
    .leftJoin(
      channelIncidents,
      and(eq(channelIncidents.incident_id, incidents.id), eq(channelIncidents.channel_id, id)),
    )
    .where(which)
    .orderBy(asc(incidents.id))
  let sent = 0
  for (const row of rows) {
    const { incident, told } = row
    const kind = incident.alerted_kind ?? incident.kind
    const key = told?.key ?? keyOf(incident.id)
    if (incident.ended_at !== null) {
      if (told === null) continue
      await pagerDuty.resolve(key, signal)
      await store(context, id, incident.id, null)
    } else if (told === null) {
      await pagerDuty.trigger(key, triggerOf(row, kind, publicUrl), signal)
      await store(context, id, incident.id, { state: 'triggered', kind, key })
    } else if (isAlert && told.kind !== kind && !row.isAcknowledged) {
      const next = `${keyOf(incident.id)}-${kind}`
      await pagerDuty.trigger(next, triggerOf(row, kind, publicUrl), signal)
      await pagerDuty.resolve(key, signal)
      await store(context, id, incident.id, { state: 'triggered', kind, key: next })
    } else if (told.state === 'triggered' && row.isAcknowledged) {
      await pagerDuty.acknowledge(key, signal)
      await store(context, id, incident.id, { state: 'acknowledged', kind: told.kind, key })
    } else if (told.kind !== kind && row.isAcknowledged) {
      await pagerDuty.trigger(key, triggerOf(row, kind, publicUrl), signal)
      await store(context, id, incident.id, { state: told.state, kind, key })
    } else continue
    sent += 1
  }
  return sent
}

interface Row {
  readonly incident: typeof incidents.$inferSelect
  readonly fqdn: string
  readonly customer: string
  readonly node: string | null
}

const words: Readonly<Record<IncidentKind, string>> = {
  down: 'is down',
  flapping: 'is flapping',
  moved: 'no longer points here',
}

const triggerOf = (
  { incident, fqdn, customer, node }: Row,
  kind: IncidentKind,
  publicUrl: string | null,
) => ({
  summary: `${fqdn} ${words[kind]}: ${incident.reason}`,
  source: fqdn,
  severity: severityOfKind[kind],
  at: incident.started_at,
  component: node,
  group: customer,
  kind,
  details: {
    incident: incident.id,
    outage: incident.outage_id,
    web: fqdn,
    customer,
    node,
    since: incident.started_at.toISOString(),
    reason: incident.reason,
  },
  url: linksTo(publicUrl).incident(incident.id).url,
})

/** Repeated if it could not be stored: PagerDuty recognizes events by their key. */
async function store(
  context: Context,
  channel: number,
  incident: number,
  told: Pick<typeof channelIncidents.$inferSelect, 'state' | 'kind' | 'key'> | null,
): Promise<void> {
  if (told === null)
    await context.db
      .delete(channelIncidents)
      .where(and(eq(channelIncidents.channel_id, channel), eq(channelIncidents.incident_id, incident)))
  else {
    const values = { ...told, changed_at: context.now() }
    await context.db
      .insert(channelIncidents)
      .values({ channel_id: channel, incident_id: incident, ...values })
      .onConflictDoUpdate({
        target: [channelIncidents.channel_id, channelIncidents.incident_id],
        set: values,
      })
  }
}
