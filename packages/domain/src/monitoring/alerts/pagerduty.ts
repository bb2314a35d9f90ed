import { DeliveryError } from '@kustos/clients/delivery'
import { alertChannels, alerts, channelIncidents, incidents } from '@kustos/database/tables'
import { and, asc, eq, sql } from 'drizzle-orm'
import { hasOpened, isFormer, recordFailure, recordSuccess } from '../../alert-channels/index.ts'
import type { Context } from '../../platform/context.ts'
import { toError } from '../../platform/errors.ts'
import { isAnyOf } from '../../platform/is-any-of.ts'
import { type Alert, isWaitingIn } from './delivery-stream.ts'
import { type PagerDutyChannel, resolveLeftOpenings, updateIncidents } from './pagerduty-incidents.ts'
import { resolveWarnings, sendWarnings } from './pagerduty-warnings.ts'
import { channelTarget } from './targets.ts'
import type { DeliveryTools } from './tools.ts'

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
  const messages = waiting.flatMap((row) => (row.incidents === null ? [] : [row.incidents]))
  const about = [...new Set(messages.flat())]
  await updateIncidents(context, channel, isAnyOf(incidents.id, about), { ...options, messages })
  return waiting.map(({ id }) => id)
}

/**
 * Tells PagerDuty of incidents that were acknowledged, and of incidents and warnings that ended without an alert, such as those of
 * webs that are no longer monitored. A failure is stored with the channel, and repeated by the next run. Former channels are deleted
 * once nothing that they have opened is left.
 */
export async function updatePagerDuty(
  context: Context,
  tools: Pick<DeliveryTools, 'stored' | 'publicUrl' | 'onError'>,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ readonly updated: number } | null> {
  const channels = await context.db.select().from(alertChannels).where(eq(alertChannels.kind, 'pagerduty'))
  const forget = (id: number) => context.db.delete(alertChannels).where(eq(alertChannels.id, id))
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
          messages: [],
        })) +
        (await resolveLeftOpenings(context, channel, signal)) +
        (await resolveWarnings(context, channel, signal))
      if (done > 0) await recordSuccess(context.db, channelTarget(row.id), context.now())
      updated += done
      if (isFormer(row) && !(await hasOpened(context.db, row.id))) await forget(row.id)
    } catch (error) {
      if (!(error instanceof DeliveryError)) {
        tools.onError(toError(error))
        continue
      }
      // Its key is no longer valid, so that only people can resolve what it has opened.
      if (isFormer(row) && error.isPermanent) await forget(row.id)
      const failure = { error: error.message, isRefused: error.isPermanent }
      await recordFailure(context.db, channelTarget(row.id), failure, context.now())
    }
  }
  return updated === 0 ? null : { updated }
}
