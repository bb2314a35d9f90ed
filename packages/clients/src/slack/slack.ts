import { DeliveryError, type Message } from '../delivery/delivery.ts'
import { type Answer, openPost } from '../delivery/post.ts'
import { escaped, fitting, oneLine } from '../delivery/text.ts'

/** A channel of Slack, by the incoming webhook that posts to it. */
export interface Slack {
  /** @throws {DeliveryError} where it was not taken; the signal's reason where it is aborted */
  send(message: Message, signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

export interface SlackSettings {
  /** The incoming webhook. Whoever knows it can post: it is in no error. */
  readonly url: string
  /** For one message, in milliseconds; 10 s unless told otherwise. */
  readonly timeout?: number
}

/**
 * Texts longer than this are cut or refused, https://docs.slack.dev/changelog/2018-truncating-really-long-messages.
 * Counted with its entities, which is on the safe side.
 */
const longest = 4_000

export function openSlack({ url, timeout = 10_000 }: SlackSettings): Slack {
  const post = openPost({ name: 'Slack', url: new URL(url), timeout })
  return {
    async send(message, signal) {
      const text = textOf(message)
      // Without mrkdwn, asterisks and underscores in names stay what they are.
      refuse(await post.send({ text, mrkdwn: false, unfurl_links: false, unfurl_media: false }, signal))
    },
    close: () => post.close(),
  }
}

function textOf({ title, lines, url }: Message): string {
  const first = escaped(oneLine(title))
  const last = url === undefined ? [] : [escaped(url)]
  const room = longest - 1 - first.length - last.join('').length - 1
  const middle = fitting(
    lines.map((line) => oneLine(line)),
    room,
    (line) => escaped(line).length,
  )
  return [first, ...middle.map(escaped), ...last].join('\n')
}

/** What Slack answers where the webhook or its channel is gone, https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks. */
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

function refuse({ status, body, retryAfter }: Answer): void {
  const word = body.trim()
  if (status === 200 && word === 'ok') return
  if (gone.includes(word))
    throw new DeliveryError(
      `Slack takes no more messages by this webhook (${word}). Check SLACK_WEBHOOK_URL.`,
      {
        isPermanent: true,
      },
    )
  if (status === 429) throw new DeliveryError('Slack has had too many messages.', { retryAfter })
  if (status >= 500) throw new DeliveryError(`Slack is out of order (${status}).`, { retryAfter })
  // Some other text may be anybody's, such as a proxy's that repeats the address.
  if (!/^[a-z_]{1,60}$/.test(word))
    throw new DeliveryError(`Something other than Slack answers at SLACK_WEBHOOK_URL (${status}).`)
  throw new DeliveryError(`Slack refuses the message (${status} ${word}).`, { isPermanent: status >= 400 })
}
