import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * How Bitbucket is: `down` breaks every connection, `slow` takes its time, `rate-limited` and `errors` answer with
 * nothing but 429 and 503.
 */
export const modes = ['ok', 'down', 'slow', 'rate-limited', 'errors'] as const
export type Mode = (typeof modes)[number]

export const isMode = (value: unknown): value is Mode => modes.some((mode) => mode === value)

/** Milliseconds that a slow answer waits. */
const slowness = 8_000

/** @returns whether the call was dealt with and is not to be answered any more */
export async function suffer(mode: Mode, response: ServerResponse): Promise<boolean> {
  if (mode === 'ok') return false
  if (mode === 'slow') {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    // Whoever waited for it may have left.
    await sleep(slowness, undefined, { signal: gone.signal }).catch(() => undefined)
    return gone.signal.aborted
  }
  if (mode === 'down') {
    response.destroy()
    return true
  }
  // What a gateway says in front of the service: plain text, no envelope.
  if (mode === 'rate-limited') {
    response
      .writeHead(429, { 'content-type': 'text/plain', 'retry-after': '60' })
      .end('Rate limit for this resource has been exceeded')
    return true
  }
  response.writeHead(503, { 'content-type': 'text/plain' }).end('upstream connect error or disconnect')
  return true
}
