import type { IncomingMessage } from 'node:http'
import { jsonObject, readBody } from './body.ts'
import { Refused } from './refused.ts'
import type { MessageStore } from './store.ts'
import { textOfHtml } from './telegram-html.ts'

/** For TELEGRAM_BOT_TOKEN and TELEGRAM_CHAT_ID. */
export const telegramToken = '4711:AAG-kustos-sandbox-bot-0123456789abc'
export const telegramChat = '-1001977'

const chat = { id: Number(telegramChat), title: 'Kustos', type: 'supergroup' }

/** Characters, once entities are read (https://core.telegram.org/bots/api#sendmessage). */
const longest = 4_096

/**
 * Takes a call of the Bot API.
 * @returns the answer's `result`
 * @throws Refused with Telegram's descriptions
 */
export async function receiveTelegram(
  path: string,
  request: IncomingMessage,
  store: MessageStore,
): Promise<object> {
  const [, token = '', method = ''] = /^\/bot([^/]*)\/(\w*)$/.exec(path) ?? []
  // What cannot be a token is no address of the API at all.
  if (!/^\d+:[\w-]{30,}$/.test(token)) throw new Refused(404, 'Not Found')
  if (token !== telegramToken) throw new Refused(401, 'Unauthorized')
  if (method.toLowerCase() !== 'sendmessage') throw new Refused(404, 'Not Found')
  const given = parameters(await readBody(request), request.headers['content-type'] ?? '')
  const to = String(given.chat_id ?? '')
  if (to === '') throw new Refused(400, 'Bad Request: chat_id is empty')
  if (to !== telegramChat) throw new Refused(400, 'Bad Request: chat not found')
  const text = textIn(given)
  const { id, at } = store.add({ channel: 'telegram', recipient: to, subject: null, text })
  return { message_id: id, date: Math.floor(Date.parse(at) / 1000), chat, text }
}

function parameters(body: string, type: string): Readonly<Record<string, unknown>> {
  if (type.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(body))
  const parsed = jsonObject(body)
  if (parsed === null) throw new Refused(400, 'Bad Request: object expected as JSON')
  return parsed
}

function textIn({ text, parse_mode: mode }: Readonly<Record<string, unknown>>): string {
  if (typeof text !== 'string' || text.trim() === '')
    throw new Refused(400, 'Bad Request: message text is empty')
  const isHtml = typeof mode === 'string' && mode.toLowerCase() === 'html'
  // Kustos sends no other.
  if (!isHtml && mode !== undefined && mode !== '')
    throw new Refused(400, 'Bad Request: unsupported parse_mode')
  const read = isHtml ? textOfHtml(text) : text
  if (read.trim() === '') throw new Refused(400, 'Bad Request: message text is empty')
  if (read.length > longest) throw new Refused(400, 'Bad Request: message is too long')
  return read
}
