import type { JobOutcome } from '@kustos/clients/queue'
import type { ReportingChannel } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import { alerts } from '@kustos/database/tables'
import { and, eq } from 'drizzle-orm'
import type { Context } from '../../platform/context.ts'
import { toError } from '../../platform/errors.ts'
import { withLease } from '../../platform/lease.ts'
import { retryTransient } from '../../platform/retry.ts'
import { attempt, type Outcome } from './attempt.ts'
import { type Alert, type DeliveryStream, headOf, isToSend } from './delivery-stream.ts'
import { jobIdOf, sendAlertJob } from './jobs.ts'
import type { AlertTools } from './tools.ts'

/**
 * Messages of a channel that one process sends at a time: those that wait for one that does not answer leave room for
 * the other channels.
 */
const atOnce: Readonly<Record<ReportingChannel, number>> = { slack: 1, telegram: 1, mail: 3 }

/** When an alert retries while its channel is busy. */
const busyRetryMs = 300
/** Behind another alert of its stream, which promotes it when it is done. */
const queuedRetryMs = 2_000
/** Behind an alert that has failed already. */
const failingRetryMs = 60_000

export type SendAlert = (context: Context, id: number, signal: AbortSignal) => Promise<JobOutcome>

/**
 * Sends alerts, each at least once: one whose process dies between the channel's yes and the note of it here is sent
 * again, since the other way round it would be lost without a trace. Once noted, it is never sent again.
 *
 * The messages of one channel and recipient go one after the other in the order in which they were written, so that no
 * web is told to be down after it was told to be up again. A lock sees to it that no two processes send the same one; one
 * that dies lets go of it at once.
 */
export function openAlertSender(tools: AlertTools): SendAlert {
  const underWay: Record<ReportingChannel, number> = { slack: 0, telegram: 0, mail: 0 }
  return async (context, id, signal) => {
    const alert = await read(context.db, id)
    if (!alert) return 'over'
    const head = await headOf(context.db, alert)
    if (head !== undefined && head.id < id)
      return { retryInMs: head.attempts === 0 ? queuedRetryMs : failingRetryMs }
    const { channel } = alert
    if (underWay[channel] >= atOnce[channel]) return { retryInMs: busyRetryMs }
    underWay[channel] += 1
    try {
      return await sendInTurn(context, tools, alert, signal)
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
  // The table holds what the contract's channels are.
  return row && { ...row, channel: row.channel as ReportingChannel }
}

async function sendInTurn(
  context: Context,
  tools: AlertTools,
  stream: Alert,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const { id } = stream
  const run = await withLease(context, `alert ${id}`, signal, async (leased, until): Promise<JobOutcome> => {
    // Another process may have sent it since it was read.
    const alert = await read(context.db, id)
    if (!alert) return 'over'
    const outcome = await attempt(tools, alert, until, context.now)
    // What was sent while the database was away must not be sent again.
    await retryTransient(until, () => note(leased, id, alert.attempts + 1, outcome))
    if (outcome.state === 'again') return { retryInMs: outcome.again }
    return outcome.state === 'failed' ? { failed: outcome.error } : 'over'
  })
  if (run === null) return { retryInMs: queuedRetryMs }
  if (run === 'over' || 'failed' in run) await promoteNext(context, tools, stream)
  return run
}

/** Nothing where it was noted before, so that it may be done twice. */
function note(context: Context, id: number, attempts: number, outcome: Outcome): Promise<void> {
  return context.db.transaction(async (db) => {
    await context.assertLease?.(db)
    const now = context.now()
    await db
      .update(alerts)
      .set({
        attempts,
        error: outcome.state === 'sent' ? null : outcome.error,
        ...(outcome.state === 'sent' && { sent_at: now }),
        ...(outcome.state === 'failed' && { failed_at: now }),
      })
      .where(and(eq(alerts.id, id), isToSend))
  })
}

/** Where that fails, the next one looks of its own. */
async function promoteNext(
  { db }: Context,
  { queues, onError }: AlertTools,
  stream: DeliveryStream,
): Promise<void> {
  try {
    const next = await headOf(db, stream)
    if (next) await queues.promote(sendAlertJob.queue, jobIdOf(next.id))
  } catch (error) {
    onError(toError(error))
  }
}
