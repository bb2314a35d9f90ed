import { HttpError, type JsonObject } from '../http-service.ts'
import { type Channel, channels } from './store.ts'

export interface ChannelFailure {
  /** The status of the response; `down` breaks the connection. */
  readonly answer: number | 'down'
  readonly retryAfterSeconds: number
}

export interface ChannelFailures {
  /** Applies the body of `PUT /health/<channel>`. */
  set(channel: string, settings: JsonObject): object
  /** How this attempt must fail, if at all; it counts towards `times`. */
  next(channel: Channel): ChannelFailure | null
}

/**
 * Failures of channels on request: `{"answer": 503}` makes every attempt fail with this status, `"down"` breaks the
 * connection, `"ok"` restores the channel; `"times": 2` ends it after two attempts, `"retry_after": 1` is what a 429 tells.
 */
export function createChannelFailures(): ChannelFailures {
  const failures = new Map<Channel, ChannelFailure & { timesLeft: number }>()
  return {
    set(name, { answer, times = Number.POSITIVE_INFINITY, retry_after: retryAfterSeconds = 30 }) {
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
    next(channel) {
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
