import { HttpError, type JsonObject } from '../http-service.ts'
import { type Channel, channels } from './store.ts'

interface ChannelFailure {
  /** The status of the response; `down` breaks the connection. */
  readonly answer: number | 'down'
  readonly retryAfterSeconds: number
  timesLeft: number
}

export type ChannelFailures = ReturnType<typeof createChannelFailures>

/**
 * Failures of channels on request: `{"answer": 503}` makes every attempt fail with this status, `"down"` breaks the
 * connection, `"ok"` restores the channel; `"times": 2` ends it after two attempts, `"retry_after": 1` is the Retry-After
 * of a 429.
 */
export function createChannelFailures() {
  const failures = new Map<Channel, ChannelFailure>()
  return {
    /** Applies the body of `PUT /health/<channel>`. */
    set(name: string, settings: JsonObject) {
      const { answer, times = Number.POSITIVE_INFINITY, retry_after: retryAfterSeconds = 30 } = settings
      const channel = channels.find((one) => one === name)
      if (channel === undefined) throw new HttpError(404, `channel must be one of ${channels.join(', ')}`)
      if (answer === 'ok') {
        failures.delete(channel)
        return { channel, answer }
      }
      if (answer !== 'down' && !isInteger(answer, 400, 599))
        throw new HttpError(400, 'answer must be "ok", "down" or a status from 400 to 599')
      if (typeof times !== 'number' || times < 1) throw new HttpError(400, 'times must be at least 1')
      if (!isInteger(retryAfterSeconds, 0, 3600))
        throw new HttpError(400, 'retry_after must be seconds up to 3600')
      failures.set(channel, { answer, retryAfterSeconds, timesLeft: times })
      return { channel, answer }
    },
    /** How this attempt must fail, if at all; it counts towards `times`. */
    next(channel: Channel): ChannelFailure | null {
      const failure = failures.get(channel)
      if (failure === undefined) return null
      failure.timesLeft -= 1
      if (failure.timesLeft <= 0) failures.delete(channel)
      return failure
    },
  }
}

const isInteger = (value: unknown, min: number, max: number): value is number =>
  Number.isInteger(value) && Number(value) >= min && Number(value) <= max
