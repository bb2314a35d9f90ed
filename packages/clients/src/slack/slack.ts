import { createDeliveryClient, type DeliveryGuard } from '../delivery/create-delivery-client.ts'
import { type ChatChannel, DeliveryError, type Message } from '../delivery/delivery.ts'
import { escapeMarkup, toOneLine, truncateToLimit } from '../delivery/message-text.ts'
import type { HttpResponse } from '../http/http-client.ts'

export interface SlackSettings {
  /** The incoming webhook. Anyone who knows it can post, so no error contains it. */
  readonly url: string
  /** Where the webhook comes from, for sentences about it. */
  readonly setting?: string
  readonly guard?: DeliveryGuard
  readonly timeoutMs?: number
}

/**
 * Longer texts are truncated or refused, https://docs.slack.dev/changelog/2018-truncating-really-long-messages. Counted
 * with entities, which is on the safe side.
 */
const maxTextLength = 4_000

/** Opens a Slack channel that is posted to by an incoming webhook. */
export function openSlack({
  url,
  setting = 'SLACK_WEBHOOK_URL',
  guard,
  timeoutMs = 10_000,
}: SlackSettings): ChatChannel<Message> {
  const http = createDeliveryClient('Slack', timeoutMs, guard)
  return {
    async send(message, signal) {
      // Without mrkdwn, asterisks and underscores in names are not read as markup.
      const body = { text: textOf(message), mrkdwn: false, unfurl_links: false, unfurl_media: false }
      assertTaken(await http.request({ url: new URL(url), body, signal }), setting)
    },
    close: http.close,
  }
}

function textOf({ title, lines, url }: Message): string {
  const first = escapeMarkup(toOneLine(title))
  const last = url === undefined ? [] : [escapeMarkup(url)]
  const room = maxTextLength - 1 - first.length - last.join('').length - 1
  const middle = truncateToLimit(lines, room, (line) => escapeMarkup(line).length)
  return [first, ...middle.map(escapeMarkup), ...last].join('\n')
}

/** Slack's answers if the webhook or its channel no longer exists, https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks. */
const gone = [
  'no_service',
  'no_active_hooks',
  'no_service_id',
  'no_team',
  'team_disabled',
  'channel_not_found',
  'channel_is_archived',
  'action_prohibited',
  'invalid_token',
  'user_not_found',
  'posting_to_general_channel_denied',
]

function assertTaken({ status, body, retryAfterMs }: HttpResponse, setting: string): void {
  const word = body.trim()
  if (status === 200 && word === 'ok') return
  if (gone.includes(word))
    throw new DeliveryError(`Slack takes no more messages by this webhook (${word}). Check ${setting}.`, {
      isPermanent: true,
    })
  if (status === 429)
    throw new DeliveryError('Slack has had too many messages.', { retryAfterMs, isRateLimited: true })
  if (status >= 500) throw new DeliveryError(`Slack reported a server error (${status}).`, { retryAfterMs })
  // Any other text may come from a proxy that repeats the address.
  if (!/^[a-z_]{1,60}$/.test(word))
    throw new DeliveryError(`Something other than Slack answers at ${setting} (${status}).`)
  throw new DeliveryError(`Slack refuses the message (${status} ${word}).`, { isPermanent: status >= 400 })
}
