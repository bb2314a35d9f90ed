import type { IncomingMessage, ServerResponse } from 'node:http'
import { jsonObject, readBody } from './body.ts'
import type { Health, Illness } from './health.ts'
import { page } from './page.ts'
import { Refused } from './refused.ts'
import { receiveSlack } from './slack.ts'
import type { MessageStore } from './store.ts'
import { receiveTelegram } from './telegram.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/**
 * One port for Slack's incoming webhook, Telegram's Bot API, and the page that shows what was sent: `GET /`,
 * `GET /messages.json`, `DELETE /messages`, `PUT /health/<channel>`.
 */
export function messagesServer(store: MessageStore, health: Health): Answer {
  return (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const answer = pathname.startsWith('/services/') ? slack : pathname.startsWith('/bot') ? telegram : desk
    answer(pathname, request, response).catch(() => response.destroy())
  }

  async function slack(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const illness = health.suffer('slack')
    if (illness !== null) {
      const said = illness.answer === 429 ? 'rate_limited' : 'service_error'
      return fall(illness, request, response, 'text/plain', said)
    }
    const { status, said } = await outcome(receiveSlack(path, request, store))
    send(request, response, status, 'text/plain', said)
  }

  async function telegram(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const illness = health.suffer('telegram')
    if (illness !== null) {
      const { answer, retryAfter } = illness
      const failure = {
        ok: false,
        error_code: answer,
        description:
          answer === 429 ? `Too Many Requests: retry after ${retryAfter}` : 'Told by the sandbox to fail',
        ...(answer === 429 && { parameters: { retry_after: retryAfter } }),
      }
      return fall(illness, request, response, json, JSON.stringify(failure))
    }
    const { status, said } = await outcome(receiveTelegram(path, request, store))
    const body =
      typeof said === 'string'
        ? { ok: false, error_code: status, description: said }
        : { ok: true, result: said }
    send(request, response, status, json, JSON.stringify(body))
  }

  async function desk(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, said } = await outcome(serveDesk(path, request, response))
    if (!response.headersSent) send(request, response, status, 'text/plain', `${said}\n`)
  }

  async function serveDesk(
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<string> {
    const [, channel] = /^\/health\/(\w+)$/.exec(path) ?? []
    switch (`${request.method} ${channel === undefined ? path : '/health'}`) {
      case 'GET /':
        response.setHeader('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
        send(request, response, 200, 'text/html', page(store.all()))
        return ''
      case 'GET /messages.json':
        send(request, response, 200, json, JSON.stringify({ data: store.all() }))
        return ''
      case 'DELETE /messages':
        store.clear()
        response.writeHead(204).end()
        return ''
      case 'PUT /health':
        send(request, response, 200, json, JSON.stringify(await setHealth(channel ?? '', request)))
        return ''
      default:
        throw new Refused(404, 'There is no such page.')
    }
  }

  async function setHealth(channel: string, request: IncomingMessage): Promise<object> {
    const body = jsonObject(await readBody(request))
    if (body === null) throw new Refused(400, 'The body must be a JSON object.')
    return health.set(channel, body)
  }
}

const json = 'application/json'

/** What was said, and the status that it goes with. */
async function outcome<T>(work: Promise<T>): Promise<{ status: number; said: T | string }> {
  try {
    return { status: 200, said: await work }
  } catch (error) {
    if (error instanceof Refused) return { status: error.status, said: error.message }
    throw error
  }
}

function fall(
  { answer, retryAfter }: Illness,
  request: IncomingMessage,
  response: ServerResponse,
  type: string,
  body: string,
): void {
  if (answer === 'down') return void response.destroy()
  if (answer === 429) response.setHeader('retry-after', String(retryAfter))
  send(request, response, answer, type, body)
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
): void {
  // What nobody reads would else block the connection for the next one.
  request.resume()
  response
    .writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' })
    .end(body)
}
