import { createHmac } from 'node:crypto'
import { assertAccepted } from '../delivery/assert-accepted.ts'
import { createDeliveryClient, type DeliveryGuard } from '../delivery/create-delivery-client.ts'
import type { ChannelMessage, ChatChannel } from '../delivery/delivery.ts'
import { toOneLine } from '../delivery/message-text.ts'

export interface WebhookSettings {
  /** It may hold credentials, so no error contains it. */
  readonly url: string
  /** `whsec_` and the key in base64. */
  readonly key: string
  readonly guard?: DeliveryGuard
  readonly timeoutMs?: number
  readonly now?: () => Date
}

/** Of the payload. It is increased when a field changes its meaning or is removed, not when one is added. */
const version = 1

/**
 * Opens a webhook that is signed as by https://github.com/standard-webhooks/standard-webhooks: `webhook-signature` is the HMAC-SHA256
 * of the id, the timestamp and the body, with dots between them.
 */
export function openWebhook({
  url,
  key,
  guard,
  timeoutMs = 15_000,
  now = () => new Date(),
}: WebhookSettings): ChatChannel {
  const http = createDeliveryClient('The webhook', timeoutMs, guard)
  return {
    async send(message, signal) {
      const at = now()
      const body = payloadOf(message, at)
      const timestamp = String(Math.floor(at.getTime() / 1000))
      const headers = {
        'webhook-id': message.id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signWebhook(key, `${message.id}.${timestamp}.${JSON.stringify(body)}`),
      }
      assertAccepted(await http.request({ url: new URL(url), body, headers, signal }), {
        service: 'The webhook',
        setting: 'its URL',
        isAccepted: (status) => status >= 200 && status < 300,
        // 410 asks for an end, the others refuse this message. Anything else may be mended within a day.
        isPermanent: (status) => [400, 410, 413, 422].includes(status),
        secrets: [url, key],
      })
    },
    close: http.close,
  }
}

/** @param key `whsec_` and base64 @param content what is signed */
export const signWebhook = (key: string, content: string): string =>
  `v1,${createHmac('sha256', Buffer.from(key.replace(/^whsec_/, ''), 'base64'))
    .update(content)
    .digest('base64')}`

const payloadOf = ({ title, lines, url, event }: ChannelMessage, at: Date): object => ({
  version,
  type: `alert.${event?.type ?? 'message'}`,
  timestamp: at.toISOString(),
  data: {
    title: toOneLine(title),
    text: lines,
    url: url ?? null,
    severity: event?.severity ?? 'info',
    incidents: event?.incidents ?? [],
    warnings: (event?.warnings ?? []).map(({ kind, key, title: text }) => ({ kind, key, title: text })),
  },
})
