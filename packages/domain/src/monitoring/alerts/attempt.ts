import { DeliveryError } from '@kustos/clients/delivery'
import type { ReportingChannel } from '@kustos/contract/webs'
import { toError } from '../../platform/errors.ts'
import type { Alert } from './delivery-stream.ts'
import type { AlertTools } from './tools.ts'

const firstWaitMs = 30_000
const maxWaitMs = 15 * 60_000
/** Limit for what the other side asks for. */
const maxRetryAfterMs = 60 * 60_000
const giveUpAfterMs = 24 * 3_600_000

/** What became of an attempt; `again` in milliseconds. */
export type Outcome =
  | { readonly state: 'sent' }
  | { readonly state: 'failed'; readonly error: string }
  | { readonly state: 'again'; readonly error: string; readonly again: number }

/**
 * Sends a message once.
 * @throws the signal's reason where it is aborted
 */
export async function attempt(
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
      return later(alert, 'Something in Kustos failed; its log says what.', null, now())
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
  const left = alert.created_at.getTime() + giveUpAfterMs - now.getTime()
  if (left <= 0) return { state: 'failed', error }
  const wait =
    retryAfterMs === null
      ? Math.min(firstWaitMs * 2 ** alert.attempts, maxWaitMs)
      : Math.min(retryAfterMs, maxRetryAfterMs)
  return { state: 'again', error, again: Math.min(wait, left) }
}
