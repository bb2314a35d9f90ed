import { z } from 'zod'
import { DeliveryError, type Message } from '../delivery/delivery.ts'
import { type Answer, openPost } from '../delivery/post.ts'
import { escaped, fitting, oneLine } from '../delivery/text.ts'

/** A chat of Telegram, by a bot that is a member of it. */
export interface Telegram {
  /** @throws {DeliveryError} where it was not taken; the signal's reason where it is aborted */
  send(message: Message, signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

export interface TelegramSettings {
  /** Where the Bot API lies, such as https://api.telegram.org */
  readonly url: string
  /** The bot's token, which is in no error although it is part of the address. */
  readonly token: string
  /** A number, or @name. */
  readonly chat: string
  /** For one message, in milliseconds; 10 s unless told otherwise. */
  readonly timeout?: number
}

/** Of the text once its entities are read, https://core.telegram.org/bots/api#sendmessage. */
const longest = 4_096

export function openTelegram({ url, token, chat, timeout = 10_000 }: TelegramSettings): Telegram {
  const address = new URL(`${url.replace(/\/+$/, '')}/bot${token}/sendMessage`)
  const post = openPost({ name: 'Telegram', url: address, timeout })
  const chatId = chat.startsWith('@') ? chat : Number(chat)
  return {
    async send(message, signal) {
      const answer = await post.send(
        {
          chat_id: chatId,
          text: textOf(message),
          parse_mode: 'HTML',
          link_preview_options: { is_disabled: true },
        },
        signal,
      )
      refuse(answer, token)
    },
    close: () => post.close(),
  }
}

function textOf({ title, lines, url }: Message): string {
  const first = oneLine(title)
  const last = url === undefined ? [] : [url]
  const middle = fitting(
    lines.map((line) => oneLine(line)),
    longest - first.length - 1 - last.join('').length,
    (line) => line.length,
  )
  return [`<b>${escaped(first)}</b>`, ...[...middle, ...last].map(escaped)].join('\n')
}

/** https://core.telegram.org/bots/api#making-requests and #responseparameters */
const answered = z.object({
  ok: z.boolean(),
  error_code: z.int().optional(),
  description: z.string().default(''),
  parameters: z
    .object({ retry_after: z.number().min(0).optional(), migrate_to_chat_id: z.int().optional() })
    .default({}),
})

function refuse(answer: Answer, token: string): void {
  const read = parse(answer.body)
  if (read === null) {
    if (answer.status >= 500) throw new DeliveryError(`Telegram is out of order (${answer.status}).`, answer)
    throw new DeliveryError(
      `Something other than Telegram answers at TELEGRAM_URL (${answer.status}).`,
      answer,
    )
  }
  if (read.ok) return
  const { retry_after, migrate_to_chat_id } = read.parameters
  const status = read.error_code ?? answer.status
  const said = `${status}: ${oneLine(read.description.replaceAll(token, '…'), 200)}`
  if (migrate_to_chat_id !== undefined)
    throw new DeliveryError(
      `Telegram has made the group a supergroup. Put ${migrate_to_chat_id} into TELEGRAM_CHAT_ID.`,
      { isPermanent: true },
    )
  if (status === 429)
    throw new DeliveryError('Telegram has had too many messages.', {
      retryAfter: retry_after === undefined ? answer.retryAfter : retry_after * 1000,
    })
  // 404 is what a token gets that belongs to no bot. Once an operator has mended it, the messages that wait are sent.
  if (status === 401 || status === 404)
    throw new DeliveryError(`Telegram does not accept the token (${said}). Check TELEGRAM_BOT_TOKEN.`)
  if (status === 400 || status === 403)
    throw new DeliveryError(`Telegram refuses the message (${said}). Check TELEGRAM_CHAT_ID.`, {
      isPermanent: true,
    })
  throw new DeliveryError(`Telegram is out of order (${said}).`, { retryAfter: answer.retryAfter })
}

function parse(body: string): z.output<typeof answered> | null {
  try {
    return answered.safeParse(JSON.parse(body)).data ?? null
  } catch {
    // Not even JSON, as what proxies say.
    return null
  }
}
