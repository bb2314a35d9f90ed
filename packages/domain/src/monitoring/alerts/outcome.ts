import { DeliveryError } from '@kustos/clients/delivery'
import { toError } from '../../platform/errors.ts'
import type { Alert } from './delivery-stream.ts'
import type { AlertTools } from './tools.ts'

const firstWaitMs = 30_000
const maxWaitMs = 15 * 60_000
/** Limits for what the other side asks for: without the first one, `Retry-After: 0` would repeat a message without a pause. */
const minRetryAfterMs = 1_000
const maxRetryAfterMs = 60 * 60_000
const giveUpAfterMs = 24 * 3_600_000

export type Outcome =
  | { readonly state: 'sent' }
  | { readonly state: 'failed'; readonly error: string }
  | {
      readonly state: 'retry'
      readonly error: string
      readonly retryInMs: number
      /** Whether the channel works, and only had too many messages. */
      readonly isRateLimited: boolean
    }

/**
 * Sends a message once.
 * @throws the signal's reason if it is aborted
 */
export async function attempt(
  { onError }: Pick<AlertTools, 'onError'>,
  alert: Alert,
  signal: AbortSignal,
  now: () => Date,
  deliver: () => Promise<void>,
): Promise<Outcome> {
  try {
    await deliver()
    return { state: 'sent' }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof DeliveryError)) {
      onError(toError(error))
      return retryLater(alert, new DeliveryError('Internal error; see the log.'), now())
    }
    if (error.isPermanent) return { state: 'failed', error: error.message }
    return retryLater(alert, error, now())
  }
}

/** The last attempt is made when the time is over. */
function retryLater(
  alert: Alert,
  { message: error, retryAfterMs, isRateLimited }: DeliveryError,
  now: Date,
): Outcome {
  const leftMs = alert.created_at.getTime() + giveUpAfterMs - now.getTime()
  if (leftMs <= 0) return { state: 'failed', error }
  const ownWaitMs = Math.min(firstWaitMs * 2 ** alert.attempts, maxWaitMs)
  // A channel that fails may give a time that has passed, or one that does not grow with the attempts.
  const leastMs = isRateLimited ? minRetryAfterMs : ownWaitMs
  const waitMs =
    retryAfterMs === null ? ownWaitMs : Math.max(leastMs, Math.min(retryAfterMs, maxRetryAfterMs))
  return { state: 'retry', error, retryInMs: Math.min(waitMs, leftMs), isRateLimited }
}
