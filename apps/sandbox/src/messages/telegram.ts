import {
  HttpError,
  type JsonObject,
  jsonReply,
  parseJsonObject,
  type Reply,
  readBody,
  type ServiceRequest,
} from '../http-service.ts'
import type { MessageStore } from './store.ts'
import { renderTelegramHtml } from './telegram-html.ts'

/** For TELEGRAM_BOT_TOKEN and TELEGRAM_CHAT_ID. */
export const telegramToken = '4711:AAG-kustos-sandbox-bot-0123456789abc'
export const telegramChat = '-1001977'

/** After parsing entities (https://core.telegram.org/bots/api#sendmessage). */
const maxTextLength = 4_096

/** Receives a call of the Bot API. @throws HttpError with Telegram's descriptions */
export async function receiveTelegram(
  { params: { token = '', method = '' }, incoming }: ServiceRequest,
  store: MessageStore,
): Promise<Reply> {
  if (!/^\d+:[\w-]{30,}$/.test(token)) throw new HttpError(404, 'Not Found')
  if (token !== telegramToken) throw new HttpError(401, 'Unauthorized')
  if (method.toLowerCase() !== 'sendmessage') throw new HttpError(404, 'Not Found')
  const parameters = parseParameters(await readBody(incoming), incoming.headers['content-type'] ?? '')
  const recipient = String(parameters.chat_id ?? '')
  if (recipient === '') throw new HttpError(400, 'Bad Request: chat_id is empty')
  if (recipient !== telegramChat) throw new HttpError(400, 'Bad Request: chat not found')
  const text = parseText(parameters)
  const { id, at } = store.add({ channel: 'telegram', recipient, subject: null, text })
  const chat = { id: Number(telegramChat), title: 'Kustos', type: 'supergroup' }
  const result = { message_id: id, date: Math.floor(Date.parse(at) / 1000), chat, text }
  return jsonReply({ ok: true, result })
}

function parseParameters(body: string, type: string): JsonObject {
  if (type.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(body))
  const parameters = parseJsonObject(body)
  if (parameters === null) throw new HttpError(400, 'Bad Request: object expected as JSON')
  return parameters
}

function parseText({ text, parse_mode: mode = '' }: JsonObject): string {
  if (typeof text !== 'string' || text.trim() === '')
    throw new HttpError(400, 'Bad Request: message text is empty')
  if (mode !== '' && mode !== 'HTML') throw new HttpError(400, 'Bad Request: unsupported parse_mode')
  const rendered = mode === 'HTML' ? renderTelegramHtml(text) : text
  if (rendered.trim() === '') throw new HttpError(400, 'Bad Request: message text is empty')
  if (rendered.length > maxTextLength) throw new HttpError(400, 'Bad Request: message is too long')
  return rendered
}
