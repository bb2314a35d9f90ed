import { DeliveryError } from '@kustos/clients/delivery'
import type { JobOutcome } from '@kustos/clients/queue'
import type { ReportingChannel } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import { alerts } from '@kustos/database/tables'
import { and, eq } from 'drizzle-orm'
import type { Context } from '../../platform/context.ts'
import { toError } from '../../platform/errors.ts'
import { withLease } from '../../platform/lease.ts'
import { retryTransient } from '../../platform/retry.ts'
import { type Alert, type DeliveryStream, findNextAlert, isToSend } from './delivery-stream.ts'
import { alertJobId, sendAlertJob } from './jobs.ts'
import type { AlertTools } from './tools.ts'

/** Per channel and process, so that one that does not respond cannot block the others. */
const concurrency: Readonly<Record<ReportingChannel, number>> = { slack: 1, telegram: 1, mail: 3 }

/** When an alert retries while its channel is busy. */
const busyRetryMs = 300
/** For an alert that waits for another one of its stream, which promotes it when it is sent. */
const queuedAlertRetryMs = 2_000
/** For an alert that waits for one that has already failed. */
const failingStreamRetryMs = 60_000

interface SendingTools extends AlertTools {
  readonly onSent: (channel: ReportingChannel, seconds: number) => void
}

/**
 * Sends alerts, each at least once: one whose process dies after the channel has accepted it and before that is stored is
 * sent again.
 *
 * The messages of one channel and recipient are sent in the order in which they were written, so that no web is reported
 * down after it was reported up again. A lease keeps two processes from sending the same one.
 *
 * @param onSent is told how long ago the alert that has been sent was written
 */
export function openAlertSender(tools: AlertTools, onSent: SendingTools['onSent'] = () => undefined) {
  const underWay: Record<ReportingChannel, number> = { slack: 0, telegram: 0, mail: 0 }
  return async (context: Context, id: number, signal: AbortSignal): Promise<JobOutcome> => {
    const alert = await read(context.db, id)
    if (!alert) return 'done'
    const head = await findNextAlert(context.db, alert)
    if (head !== undefined && head.id < id)
      return { retryInMs: head.attempts === 0 ? queuedAlertRetryMs : failingStreamRetryMs }
    const { channel } = alert
    if (underWay[channel] >= concurrency[channel]) return { retryInMs: busyRetryMs }
    underWay[channel] += 1
    try {
      return await sendInTurn(context, { ...tools, onSent }, alert, signal)
    } catch (error) {
      if (signal.aborted) return { retryInMs: 0 }
      throw error
    } finally {
      underWay[channel] -= 1
    }
  }
}

async function read(db: Transaction, id: number): Promise<Alert | undefined> {
  const [row] = await db
    .select()
    .from(alerts)
    .where(and(eq(alerts.id, id), isToSend))
  // A check constraint allows the contract's channels only.
  return row && { ...row, channel: row.channel as ReportingChannel }
}

async function sendInTurn(
  context: Context,
  tools: SendingTools,
  stream: Alert,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const { id } = stream
  const run = await withLease(context, `alert ${id}`, signal, async (leased, until): Promise<JobOutcome> => {
    // Another process may have sent it since it was read.
    const alert = await read(context.db, id)
    if (!alert) return 'done'
    const outcome = await attempt(tools, alert, until, context.now)
    // An alert that was sent while the database was down must not be sent again.
    await retryTransient(until, () => storeOutcome(leased, alert, outcome))
    if (outcome.state === 'sent')
      tools.onSent(alert.channel, (context.now().getTime() - alert.created_at.getTime()) / 1000)
    if (outcome.state === 'retry') return { retryInMs: outcome.retryInMs }
    return outcome.state === 'failed' ? { failed: outcome.error } : 'done'
  })
  if (run === null) return { retryInMs: queuedAlertRetryMs }
  if (run === 'done' || 'failed' in run) await promoteNext(context, tools, stream)
  return run
}

/** Does nothing if it has been stored before, so that it may be repeated. */
function storeOutcome(context: Context, alert: Alert, outcome: Outcome): Promise<void> {
  const { id, content, attempts } = alert
  const { url: _, ...withoutUrl } = content
  return context.db.transaction(async (db) => {
    await context.assertLease?.(db)
    const now = context.now()
    await db
      .update(alerts)
      .set({
        attempts: attempts + 1,
        ...(content.isUrlSecret && outcome.state !== 'retry' && { content: withoutUrl }),
        error: outcome.state === 'sent' ? null : outcome.error,
        ...(outcome.state === 'sent' && { sent_at: now }),
        ...(outcome.state === 'failed' && { failed_at: now }),
      })
      .where(and(eq(alerts.id, id), isToSend))
  })
}

/** If that fails, the next one retries by itself. */
async function promoteNext(
  { db }: Context,
  { queues, onError }: AlertTools,
  stream: DeliveryStream,
): Promise<void> {
  try {
    const next = await findNextAlert(db, stream)
    if (next) await queues.promote(sendAlertJob.queue, alertJobId(next.id))
  } catch (error) {
    onError(toError(error))
  }
}

const firstWaitMs = 30_000
const maxWaitMs = 15 * 60_000
/** Limit for what the other side asks for. */
const maxRetryAfterMs = 60 * 60_000
const giveUpAfterMs = 24 * 3_600_000

type Outcome =
  | { readonly state: 'sent' }
  | { readonly state: 'failed'; readonly error: string }
  | { readonly state: 'retry'; readonly error: string; readonly retryInMs: number }

/**
 * Sends a message once.
 * @throws the signal's reason where it is aborted
 */
async function attempt(
  { channels, onError }: Pick<AlertTools, 'channels' | 'onError'>,
  alert: Alert,
  signal: AbortSignal,
  now: () => Date,
): Promise<Outcome> {
  try {
    await deliver(channels, alert, signal)
    return { state: 'sent' }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof DeliveryError)) {
      onError(toError(error))
      return later(alert, 'Internal error; see the log.', null, now())
    }
    if (error.isPermanent) return { state: 'failed', error: error.message }
    return later(alert, error.message, error.retryAfterMs, now())
  }
}

function deliver(
  { slack, telegram, mail }: AlertTools['channels'],
  { id, channel, recipient, content }: Alert,
  signal: AbortSignal,
): Promise<void> {
  const missing = (): never => {
    throw new DeliveryError(`The channel ${channel} is not configured any more.`, { isPermanent: true })
  }
  const sending: Readonly<Record<ReportingChannel, () => Promise<void>>> = {
    slack: () => slack?.send(content, signal) ?? missing(),
    telegram: () => telegram?.send(content, signal) ?? missing(),
    mail: () =>
      mail?.send({ to: recipient ?? '', message: content, id: `kustos-alert-${id}` }, signal) ?? missing(),
  }
  return sending[channel]()
}

/** The last attempt is made when the time is over. */
function later(alert: Alert, error: string, retryAfterMs: number | null, now: Date): Outcome {
  const leftMs = alert.created_at.getTime() + giveUpAfterMs - now.getTime()
  if (leftMs <= 0) return { state: 'failed', error }
  const waitMs =
    retryAfterMs === null
      ? Math.min(firstWaitMs * 2 ** alert.attempts, maxWaitMs)
      : Math.min(retryAfterMs, maxRetryAfterMs)
  return { state: 'retry', error, retryInMs: Math.min(waitMs, leftMs) }
}
