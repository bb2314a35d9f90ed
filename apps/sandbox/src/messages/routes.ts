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
import { createDiscord } from './discord.ts'
import { renderPage } from './page.ts'
import { createPagerDuty } from './pagerduty.ts'
import { receiveSlack, slackErrors } from './slack.ts'
import type { Channel, MessageStore } from './store.ts'
import { receiveTeams } from './teams.ts'
import { receiveTelegram } from './telegram.ts'
import { createWebhook } from './webhook.ts'

/** One port for all services but mail, and the page that shows the messages. */
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
      'POST',
      '/workflows/:workflow/triggers/manual/paths/invoke',
      failing('teams', (request) => receiveTeams(request, store)),
    ],
    ['POST', '/api/webhooks/:hook/:token', failing('discord', createDiscord(store))],
    ['POST', '/v2/enqueue', failing('pagerduty', createPagerDuty(store))],
    ['POST', '/hooks/kustos', failing('webhook', createWebhook(store))],
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
  const retryAfter =
    'retryAfterSeconds' in details && typeof details.retryAfterSeconds === 'number'
      ? details.retryAfterSeconds
      : null
  const headers: Reply['headers'] =
    retryAfter === null ? {} : { 'retry-after': String(Math.ceil(retryAfter)) }
  if (path.startsWith('/services/')) return textReply(slackErrors[status] ?? message, status, headers)
  if (path.startsWith('/workflows/'))
    return jsonReply({ error: { code: 'Failed', ...details, message } }, status, headers)
  if (path.startsWith('/api/webhooks/')) {
    const limit = retryAfter === null ? { code: 0, ...details } : { retry_after: retryAfter, global: false }
    return jsonReply({ message, ...limit }, status, headers)
  }
  if (path.startsWith('/v2/enqueue'))
    return jsonReply(pagerDutyError(status, message, details), status, headers)
  if (!path.startsWith('/bot')) return textReply(`${message}\n`, status, headers)
  const parameters = retryAfter === null ? {} : { parameters: { retry_after: retryAfter } }
  return jsonReply({ ok: false, error_code: status, description: message, ...parameters }, status, headers)
}

const pagerDutyError = (status: number, message: string, details: object) =>
  status === 429
    ? {
        status: 'throttle exceeded',
        message: 'Requests for this service are arriving too quickly. Please retry later.',
      }
    : { status: status === 400 ? 'invalid event' : 'error', message, errors: [], ...details }
