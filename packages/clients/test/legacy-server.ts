import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { type LegacyOptions, openLegacy } from '../src/legacy/index.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * The sessions of a Laravel application with Sanctum: a token in an encoded cookie that changes with each response, and
 * a session that only its own front end may use.
 */
export async function startLegacyServer() {
  const state = {
    /** Replace the next responses of a path. */
    responses: new Map<string, Handler[]>(),
    /** The content of each path. */
    lists: new Map<string, unknown>(),
    /** Further Set-Cookie headers. */
    cookies: [] as string[],
    requests: [] as { method: string; path: string; cookie: string; at: number }[],
    signedIn: new Set<string>(),
    frontendOrigin: '',
  }
  let token = 0
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    const [plain = ''] = path.split('?')
    const cookie = request.headers.cookie ?? ''
    state.requests.push({ method: request.method ?? '', path, cookie, at: Date.now() })
    const override = state.responses.get(plain)?.shift()
    if (override) return override(request, response)
    const isOwn = request.headers.referer === `${state.frontendOrigin || origin}/`
    const session = /laravel_session=(\w+)/.exec(cookie)?.[1]
    const sent = /XSRF-TOKEN=([^;]*)/.exec(cookie)?.[1] ?? ''
    const last = `token ${token} +/=`
    const next = `token ${++token} +/=`
    response.setHeader('set-cookie', [
      `XSRF-TOKEN=${encodeURIComponent(next)}; path=/; samesite=lax`,
      ...(session === undefined && isOwn ? [`laravel_session=s${token}; path=/; httponly`] : []),
      ...state.cookies,
    ])
    const respond = (status: number, body?: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    }
    if (plain === '/sanctum/csrf-cookie') return respond(204)
    if (request.method === 'POST') {
      if (decodeURIComponent(sent) !== last || request.headers['x-xsrf-token'] !== last)
        return respond(419, { message: 'CSRF token mismatch.' })
      if (plain === '/api/logout') {
        state.signedIn.delete(session ?? '')
        return respond(204)
      }
      const { email, password } = (await json(request)) as Record<string, string>
      if (email !== 'a@former.test' || password !== 'pass phrase 17') return respond(422, { errors: {} })
      if (session !== undefined && isOwn) state.signedIn.add(session)
      return respond(200, { two_factor: false })
    }
    if (!state.signedIn.has(session ?? '') || !isOwn) return respond(401, { message: 'Unauthenticated.' })
    return state.lists.has(plain) ? respond(200, state.lists.get(plain)) : respond(404)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const open = (overrides: Partial<LegacyOptions> = {}) =>
    openLegacy({ url: origin, idleTimeoutMs: 300, retryDelaysMs: [5, 5], ...overrides })
  return {
    state,
    origin,
    open,
    async stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

export const respondWith =
  (status: number, headers: Record<string, string> = {}, body = ''): Handler =>
  (_, response) => {
    response.writeHead(status, headers).end(body)
  }
