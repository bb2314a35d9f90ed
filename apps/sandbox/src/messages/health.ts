import { Refused } from './refused.ts'
import { type Channel, channels } from './store.ts'

/** How a channel fails. */
export interface Illness {
  /** The status of the answer; `down` breaks the connection. */
  readonly answer: number | 'down'
  /** Seconds after which it says that one may come again. */
  readonly retryAfter: number
}

export interface Health {
  /** Sets how a channel is, as `PUT /health/<channel>` has it. @throws Refused */
  set(channel: string, body: unknown): object
  /** How this attempt is to fail; null where it is not. It counts as one of those that the illness lasts for. */
  suffer(channel: Channel): Illness | null
}

/**
 * Channels that can be made ill: `{"answer": 503}` lets every attempt fail with this status, `"down"` breaks the
 * connection, `"ok"` heals; `"times": 2` heals after two attempts, `"retry_after": 1` is what a 429 says.
 */
export function openHealth(): Health {
  const ill = new Map<Channel, Illness & { left: number }>()
  return {
    set(name, body) {
      const channel = channels.find((one) => one === name)
      if (channel === undefined) throw new Refused(404, `channel must be one of ${channels.join(', ')}`)
      const {
        answer = null,
        times = Number.POSITIVE_INFINITY,
        retry_after: retryAfter = 30,
      } = body as { readonly [key in 'answer' | 'times' | 'retry_after']?: unknown }
      if (answer === 'ok') {
        ill.delete(channel)
        return { channel, answer }
      }
      if (answer !== 'down' && !isWithin(answer, 400, 599))
        throw new Refused(400, 'answer must be "ok", "down" or a status from 400 to 599')
      if (typeof times !== 'number' || times < 1) throw new Refused(400, 'times must be at least 1')
      if (!isWithin(retryAfter, 0, 3600)) throw new Refused(400, 'retry_after must be seconds up to 3600')
      ill.set(channel, { answer, retryAfter, left: times })
      return { channel, answer }
    },
    suffer(channel) {
      const illness = ill.get(channel)
      if (illness === undefined) return null
      illness.left -= 1
      if (illness.left <= 0) ill.delete(channel)
      return illness
    },
  }
}

const isWithin = (value: unknown, least: number, most: number): value is number =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most
