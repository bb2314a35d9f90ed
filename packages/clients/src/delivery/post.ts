import { Agent } from 'undici'
import { retryAfterOf } from '../http/retry-after.ts'
import { codeOf } from '../http/unanswered.ts'
import { DeliveryError } from './delivery.ts'

export interface Posting {
  /** The other side's name, for sentences. */
  readonly name: string
  /** It may hold credentials: no error tells it. */
  readonly url: URL
  /** For the whole exchange, in milliseconds. */
  readonly timeout: number
}

export interface Answer {
  readonly status: number
  readonly body: string
  /** In milliseconds, where the header Retry-After said so. */
  readonly retryAfter: number | null
}

export interface Post {
  /**
   * Sends JSON; redirects are not followed.
   * @throws {DeliveryError} where no answer comes; the signal's reason where it is aborted
   */
  send(body: object, signal?: AbortSignal): Promise<Answer>
  close(): Promise<void>
}

/** Answers are read up to this size, in bytes; the right ones are far smaller. */
const largest = 64 * 1024

/** POST of JSON to one address. */
export function openPost({ name, url, timeout }: Posting): Post {
  const agent = new Agent({
    connections: 2,
    allowH2: false,
    connectTimeout: timeout,
    headersTimeout: timeout,
    bodyTimeout: timeout,
    maxResponseSize: largest,
  })
  return {
    async send(body, signal) {
      const deadline = AbortSignal.timeout(timeout)
      try {
        const answer = await agent.request({
          origin: url.origin,
          path: url.pathname + url.search,
          method: 'POST',
          headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Kustos' },
          body: JSON.stringify(body),
          signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
        })
        return {
          status: answer.statusCode,
          body: await answer.body.text(),
          retryAfter: retryAfterOf(answer.headers['retry-after']),
        }
      } catch (error) {
        signal?.throwIfAborted()
        throw new DeliveryError(
          deadline.aborted
            ? `${name} did not answer within ${timeout / 1000} s.`
            : `${name} cannot be reached: ${codeOf(error) || 'the exchange failed'}.`,
        )
      }
    },
    close: () => agent.destroy(),
  }
}
