import { DeliveryError } from '@kustos/clients/delivery'
import type { JobOutcome } from '@kustos/clients/queue'
import type { ChannelKind } from '@kustos/contract/alert-channels'
import type { Context } from '../../platform/context.ts'
import { toError } from '../../platform/errors.ts'
import { withLease } from '../../platform/lease.ts'
import { retryTransient } from '../../platform/retry.ts'
import { findSender, type Sender } from './deliver.ts'
import { type Alert, findNextAlerts, readAlert } from './delivery-stream.ts'
import { enqueueAlerts, enqueueNext } from './jobs.ts'
import { attempt } from './outcome.ts'
import { sendToPagerDuty } from './pagerduty.ts'
import { storeOutcome } from './store-outcome.ts'
import { planDelivery } from './summary.ts'
import type { DeliveryTools } from './tools.ts'

/** Per channel and process, so that one that does not respond cannot block the others. */
const mailConcurrency = 3

/** When an alert retries while its channel is busy. */
const busyRetryMs = 300
/** For an alert that waits for another one of its stream, which promotes it when it is sent. */
const queuedAlertRetryMs = 2_000
/** For an alert that waits for one that has already failed. */
const failingStreamRetryMs = 60_000

interface SendingTools extends DeliveryTools {
  readonly onSent: (service: ChannelKind, seconds: number) => void
}

/**
 * Sends alerts, each at least once: one whose process dies after the channel has accepted it and before that is stored is
 * sent again.
 *
 * The messages of one channel and recipient are sent in the order in which they were written, so that no web is reported
 * down after it was reported up again. A lease keeps two processes from sending the same one. Only the first two of a stream have a
 * job at a time: the others get theirs when it is their turn.
 *
 * @param onSent is told how long ago the alert that has been sent was written
 */
export function openAlertSender(tools: DeliveryTools, onSent: SendingTools['onSent'] = () => undefined) {
  const underWay = new Map<string, number>()
  return async (context: Context, id: number, signal: AbortSignal): Promise<JobOutcome> => {
    const alert = await readAlert(context.db, id)
    if (!alert) return 'done'
    const [first, second] = await findNextAlerts(context.db, alert, 2)
    if (first !== undefined && first.id < id) {
      if (second !== undefined && second.id < id) return 'done'
      return { retryInMs: first.attempts === 0 ? queuedAlertRetryMs : failingStreamRetryMs }
    }
    const channel = `${alert.channel} ${alert.channel_id ?? ''}`
    const sending = underWay.get(channel) ?? 0
    if (sending >= (alert.channel === 'mail' ? mailConcurrency : 1)) return { retryInMs: busyRetryMs }
    underWay.set(channel, sending + 1)
    try {
      return await sendInTurn(context, { ...tools, onSent }, alert, signal)
    } catch (error) {
      if (signal.aborted) return { retryInMs: 0 }
      throw error
    } finally {
      underWay.set(channel, (underWay.get(channel) ?? 1) - 1)
    }
  }
}

async function sendInTurn(
  context: Context,
  tools: SendingTools,
  stream: Alert,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const lease = alertLease(stream.id)
  const run = await withLease(context, lease, signal, (leased, until) =>
    sendLeased(leased, tools, stream, until),
  )
  if (run === null) return { retryInMs: queuedAlertRetryMs }
  if (run === 'done' || 'failed' in run) await promoteNext(context, tools, stream)
  return run
}

const alertLease = (id: number) => `alert ${id}`

async function sendLeased(
  context: Context,
  tools: SendingTools,
  { id, ...target }: Alert,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const sender = await findSender(context.db, tools, target).catch((error: unknown) => {
    if (error instanceof DeliveryError) return error
    throw error
  })
  const name = sender instanceof DeliveryError ? 'A channel' : sender.name
  const plan = await planOf(context, tools, id, sender)
  if (plan.kind === 'none') return 'done'
  if (plan.kind === 'summarized') {
    await enqueueAlerts(tools, [plan.summary])
    return 'done'
  }
  const { alert } = plan
  let done: readonly number[] = [alert.id]
  const outcome = await attempt(tools, alert, signal, context.now, async () => {
    if (sender instanceof DeliveryError) throw sender
    if (sender.kind === 'incidents')
      done = await sendToPagerDuty(context, sender, alert, { publicUrl: tools.publicUrl, signal })
    else await sender.send(toMessage(alert), signal)
  })
  // An alert that was sent while the database was down must not be sent again.
  const refused = await retryTransient(signal, () =>
    storeOutcome(context, tools, alert, outcome, { name, done }),
  )
  await enqueueAlerts(tools, refused)
  if (outcome.state === 'sent' && !(sender instanceof DeliveryError))
    tools.onSent(sender.service, (context.now().getTime() - alert.created_at.getTime()) / 1000)
  if (outcome.state === 'retry') return { retryInMs: outcome.retryInMs }
  return outcome.state === 'failed' ? { failed: outcome.error } : 'done'
}

/** PagerDuty needs no summaries, since it is sent the state of incidents only. */
async function planOf(
  context: Context,
  { publicUrl }: DeliveryTools,
  id: number,
  sender: Sender | DeliveryError,
) {
  if (!(sender instanceof DeliveryError) && sender.kind === 'messages')
    return await planDelivery(context, id, { name: sender.name, holder: alertLease(id), publicUrl })
  // Another process may have sent it since it was read.
  const alert = await readAlert(context.db, id)
  return alert === undefined ? ({ kind: 'none' } as const) : ({ kind: 'send', alert } as const)
}

const toMessage = ({ id, content, event }: Alert) => ({
  ...content,
  // A summary that has grown is another message for who has seen it before.
  id: event?.type === 'summary' ? `kustos-alert-${id}-${content.title.split(' ')[0]}` : `kustos-alert-${id}`,
  event,
})

/** If that fails, the sweeper does it. */
async function promoteNext({ db }: Context, tools: DeliveryTools, stream: Alert): Promise<void> {
  try {
    const [next] = await findNextAlerts(db, stream, 1)
    if (next) await enqueueNext(tools, next.id)
  } catch (error) {
    tools.onError(toError(error))
  }
}
