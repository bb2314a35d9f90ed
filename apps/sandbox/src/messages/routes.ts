import {
  breakConnection,
  createService,
  type Handler,
  HttpError,
  htmlReply,
  jsonReply,
  type Reply,
  type Route,
  readJsonObject,
  textReply,
} from '../http-service.ts'
import type { ChannelFailures } from './channel-failures.ts'
import { renderPage } from './page.ts'
import { receiveSlack, slackErrors } from './slack.ts'
import type { Channel, MessageStore } from './store.ts'
import { receiveTelegram } from './telegram.ts'

/** One port for Slack's incoming webhook, Telegram's Bot API, and the page that shows the messages. */
export function createMessagesService(store: MessageStore, failures: ChannelFailures) {
  const failing =
    (channel: Channel, handle: Handler): Handler =>
    (request) => {
      const failure = failures.next(channel)
      if (failure === null) return handle(request)
      const { answer, retryAfterSeconds } = failure
      if (answer === 'down') return breakConnection(request)
      if (answer !== 429) throw new HttpError(answer, 'The sandbox was told to fail')
      throw new HttpError(429, `Too Many Requests: retry after ${retryAfterSeconds}`, { retryAfterSeconds })
    }

  const routes: readonly Route[] = [
    ['POST', '/services/:team/:hook/:secret', failing('slack', (request) => receiveSlack(request, store))],
    ['POST', '/bot:token/:method', failing('telegram', (request) => receiveTelegram(request, store))],
    [
      'GET',
      '/',
      () =>
        htmlReply(renderPage(store.all()), 200, {
          'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
        }),
    ],
    ['GET', '/messages.json', () => jsonReply({ data: store.all() })],
    [
      'DELETE',
      '/messages',
      () => {
        store.clear()
        return { status: 204, headers: {}, body: '' }
      },
    ],
    [
      'PUT',
      '/health/:channel',
      async ({ params: { channel = '' }, incoming }) => {
        const settings = await readJsonObject(incoming)
        if (settings === null) throw new HttpError(400, 'The body must be a JSON object.')
        return jsonReply(failures.set(channel, settings))
      },
    ],
  ]
  return createService({ routes, formatError })
}

function formatError({ status, message, details }: HttpError, path: string): Reply {
  const retryAfter = 'retryAfterSeconds' in details ? details.retryAfterSeconds : null
  const headers: Reply['headers'] = retryAfter === null ? {} : { 'retry-after': String(retryAfter) }
  if (path.startsWith('/services/')) return textReply(slackErrors[status] ?? message, status, headers)
  if (!path.startsWith('/bot')) return textReply(`${message}\n`, status)
  const parameters = retryAfter === null ? {} : { parameters: { retry_after: retryAfter } }
  return jsonReply({ ok: false, error_code: status, description: message, ...parameters }, status, headers)
}
