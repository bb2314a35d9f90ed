import type { HttpResponse } from '../http/http-client.ts'
import { shortenReason } from '../http/json-api.ts'
import { DeliveryError } from './delivery.ts'
import { toOneLine } from './message-text.ts'

interface Refusals {
  readonly service: string
  /** What staff check if it does not accept messages. */
  readonly setting: string
  readonly isAccepted: (status: number) => boolean
  /** Whether a status means that the same message would always be refused. */
  readonly isPermanent: (status: number) => boolean
  /** The service's own words, and how long it wants to be left alone. */
  readonly explain?: (response: HttpResponse) => {
    readonly words?: string | undefined
    readonly retryAfterMs?: number | null
  }
  /** Secrets that its words may repeat. */
  readonly secrets: readonly string[]
}

/** @throws {DeliveryError} unless a service has accepted a message */
export function assertAccepted(
  response: HttpResponse,
  { service, setting, isAccepted, isPermanent, explain, secrets }: Refusals,
): void {
  const { status } = response
  if (isAccepted(status)) return
  const { words = '', retryAfterMs = response.retryAfterMs } = explain?.(response) ?? {}
  const masked = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), words)
  const said = masked === '' ? `${status}` : `${status}: ${shortenReason(toOneLine(masked, 200))}`
  if (status === 429)
    throw new DeliveryError(`${service} has had too many messages.`, { retryAfterMs, isRateLimited: true })
  if (status >= 500)
    throw new DeliveryError(`${service} reported a server error (${said}).`, { retryAfterMs })
  if (status < 400)
    throw new DeliveryError(`Something other than ${service} answers at ${setting} (${status}).`)
  throw new DeliveryError(`${service} refuses the message (${said}). Check ${setting}.`, {
    isPermanent: isPermanent(status),
    retryAfterMs,
  })
}
