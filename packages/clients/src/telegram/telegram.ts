import { z } from 'zod'
import { createDeliveryClient, type DeliveryGuard } from '../delivery/create-delivery-client.ts'
import { type ChatChannel, DeliveryError, type Message } from '../delivery/delivery.ts'
import { escapeMarkup, toOneLine, truncateToLimit } from '../delivery/message-text.ts'
import type { HttpResponse } from '../http/http-client.ts'
import { parseJsonAs } from '../http/json-api.ts'

export interface TelegramSettings {
  /** Base address of the Bot API, such as https://api.telegram.org */
  readonly url: string
  /** The bot's token. It is part of the address, but in no error. */
  readonly token: string
  /** A number, or @name. */
  readonly chat: string
  /** Where the token and the chat come from, for sentences about them. */
  readonly settings?: { readonly token: string; readonly chat: string }
  readonly guard?: DeliveryGuard
  readonly timeoutMs?: number
}

/** Once entities are parsed, https://core.telegram.org/bots/api#sendmessage. */
const maxTextLength = 4_096

/** Opens a Telegram chat that is posted to by a bot that is a member of it. */
export function openTelegram({
  url,
  token,
  chat,
  settings = { token: 'TELEGRAM_BOT_TOKEN', chat: 'TELEGRAM_CHAT_ID' },
  guard,
  timeoutMs = 10_000,
}: TelegramSettings): ChatChannel<Message> {
  const address = new URL(`${url.replace(/\/+$/, '')}/bot${token}/sendMessage`)
  const http = createDeliveryClient('Telegram', timeoutMs, guard)
  return {
    async send(message, signal) {
      const body = {
        chat_id: chat.startsWith('@') ? chat : Number(chat),
        text: textOf(message),
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
      }
      assertTaken(await http.request({ url: address, body, signal }), token, settings)
    },
    close: http.close,
  }
}

function textOf({ title, lines, url }: Message): string {
  const first = toOneLine(title)
  const last = url === undefined ? [] : [url]
  const room = maxTextLength - first.length - 1 - last.join('').length
  const middle = truncateToLimit(lines, room, (line) => line.length)
  return [`<b>${escapeMarkup(first)}</b>`, ...[...middle, ...last].map(escapeMarkup)].join('\n')
}

/** https://core.telegram.org/bots/api#making-requests and #responseparameters */
const replySchema = z.object({
  ok: z.boolean(),
  error_code: z.int().optional(),
  description: z.string().default(''),
  parameters: z
    .object({ retry_after: z.number().min(0).optional(), migrate_to_chat_id: z.int().optional() })
    .default({}),
})

function assertTaken(
  response: HttpResponse,
  token: string,
  settings: Required<TelegramSettings>['settings'],
): void {
  const { retryAfterMs } = response
  const reply = parseJsonAs(replySchema, response.body)
  if (reply === null) {
    const isTheirs = response.status >= 500
    const words = isTheirs
      ? 'Telegram reported a server error'
      : 'Something other than Telegram answers at TELEGRAM_URL'
    throw new DeliveryError(`${words} (${response.status}).`, { retryAfterMs })
  }
  if (reply.ok) return
  const { retry_after, migrate_to_chat_id } = reply.parameters
  const status = reply.error_code ?? response.status
  const said = `${status}: ${toOneLine(reply.description.replaceAll(token, '…'), 200)}`
  if (migrate_to_chat_id !== undefined)
    throw new DeliveryError(
      `Telegram has made the group a supergroup. Put ${migrate_to_chat_id} into ${settings.chat}.`,
      { isPermanent: true },
    )
  if (status === 429)
    throw new DeliveryError('Telegram has had too many messages.', {
      retryAfterMs: retry_after === undefined ? retryAfterMs : retry_after * 1000,
      isRateLimited: true,
    })
  // 404 means a token of no bot. Not permanent: waiting messages are sent once an operator has corrected the token.
  if (status === 401 || status === 404)
    throw new DeliveryError(`Telegram does not accept the token (${said}). Check ${settings.token}.`)
  if (status === 400 || status === 403)
    throw new DeliveryError(`Telegram refuses the message (${said}). Check ${settings.chat}.`, {
      isPermanent: true,
    })
  throw new DeliveryError(`Telegram reported an error (${said}).`, { retryAfterMs })
}
