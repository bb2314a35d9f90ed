import { DeliveryError } from '@kustos/clients/delivery'
import type { JobOutcome } from '@kustos/clients/queue'
import { alertChannels, alertChannelTests } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { recordFailure, recordSuccess } from '../../alert-channels/index.ts'
import type { Context } from '../../platform/context.ts'
import { toError } from '../../platform/errors.ts'
import { findSender, type Sender } from './deliver.ts'
import { formatMoment } from './message-parts.ts'
import { type AlertTarget, readTargets } from './targets.ts'
import type { DeliveryTools } from './tools.ts'

/** Sends the test message that a user has requested, past what waits for the channel, and stores the answer. */
export async function sendChannelTest(
  context: Context,
  tools: DeliveryTools,
  test: number,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const { db, now } = context
  const [row] = await db
    .select({ test: alertChannelTests, channel: alertChannels })
    .from(alertChannelTests)
    .innerJoin(alertChannels, eq(alertChannels.id, alertChannelTests.channel_id))
    .where(eq(alertChannelTests.id, test))
  if (row === undefined || row.test.ended_at !== null) return 'done'
  const targetsOf = await readTargets(db, tools, [])
  const targets = targetsOf({ channels: [], to: [row.channel.id] })
  let error = targets.length === 0 ? 'This channel is no longer configured.' : null
  for (const target of targets) {
    const failure = await sendTest(context, tools, target, test, signal)
    if (failure === null) await recordSuccess(db, target, now())
    else await recordFailure(db, target, { error: failure.message, isRefused: failure.isPermanent }, now())
    error ??= failure?.message ?? null
  }
  await db.update(alertChannelTests).set({ ended_at: now(), error }).where(eq(alertChannelTests.id, test))
  return 'done'
}

/** @returns why it was not accepted, null if it was */
async function sendTest(
  context: Context,
  tools: DeliveryTools,
  target: AlertTarget,
  test: number,
  signal: AbortSignal,
): Promise<DeliveryError | null> {
  try {
    await post(await findSender(context.db, tools, target), tools, test, context.now(), signal)
    return null
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof DeliveryError) return error
    tools.onError(toError(error))
    return new DeliveryError('Internal error; see the log.')
  }
}

async function post(
  sender: Sender,
  { publicUrl }: DeliveryTools,
  test: number,
  now: Date,
  signal: AbortSignal,
): Promise<void> {
  const title = `Test message from Kustos to ${sender.name}`
  const url = publicUrl === null ? {} : { url: `${publicUrl.replace(/\/+$/, '')}/monitoring/channels` }
  if (sender.kind === 'messages') {
    const lines = [`Sent: ${formatMoment(now)}`, 'Alerts will arrive here like this one.']
    const event = { type: 'test', severity: 'info', incidents: [] } as const
    await sender.send({ id: `kustos-test-${test}`, title, lines, ...url, event }, signal)
    return
  }
  const key = `kustos-test-${test}`
  await sender.pagerDuty.trigger(
    key,
    { summary: title, source: 'kustos', severity: 'info', at: now, ...url },
    signal,
  )
  await sender.pagerDuty.resolve(key, signal)
}
