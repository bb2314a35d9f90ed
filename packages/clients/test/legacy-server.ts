import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { type LegacyOptions, openLegacy } from '../src/legacy/index.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/**
 * A Laravel application with Sanctum, as far as its sessions go: a token in a cookie that is encoded and changes with
 * each answer, and a session that belongs to its own front end alone.
 */
export async function startLegacyServer() {
  const state = {
    /** In place of a path's own answer, once for each in the list. */
    answers: new Map<string, Answer[]>(),
    /** What each path gives. */
    lists: new Map<string, unknown>(),
    /** Further lines of Set-Cookie. */
    cookies: [] as string[],
    asked: [] as { method: string; path: string; cookie: string; at: number }[],
    signedIn: new Set<string>(),
    frontEnd: '',
  }
  let token = 0
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    const [plain = ''] = path.split('?')
    const cookie = request.headers.cookie ?? ''
    state.asked.push({ method: request.method ?? '', path, cookie, at: Date.now() })
    const instead = state.answers.get(plain)?.shift()
    if (instead) return instead(request, response)
    const isOwn = request.headers.referer === `${state.frontEnd || origin}/`
    const session = /laravel_session=(\w+)/.exec(cookie)?.[1]
    const sent = /XSRF-TOKEN=([^;]*)/.exec(cookie)?.[1] ?? ''
    const last = `token ${token} +/=`
    const next = `token ${++token} +/=`
    response.setHeader('set-cookie', [
      `XSRF-TOKEN=${encodeURIComponent(next)}; path=/; samesite=lax`,
      ...(session === undefined && isOwn ? [`laravel_session=s${token}; path=/; httponly`] : []),
      ...state.cookies,
    ])
    const say = (status: number, body?: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    }
    if (plain === '/sanctum/csrf-cookie') return say(204)
    if (request.method === 'POST') {
      if (decodeURIComponent(sent) !== last || request.headers['x-xsrf-token'] !== last)
        return say(419, { message: 'CSRF token mismatch.' })
      if (plain === '/api/logout') {
        state.signedIn.delete(session ?? '')
        return say(204)
      }
      const { email, password } = (await json(request)) as Record<string, string>
      if (email !== 'a@former.test' || password !== 'pass phrase 17') return say(422, { errors: {} })
      if (session !== undefined && isOwn) state.signedIn.add(session)
      return say(200, { two_factor: false })
    }
    if (!state.signedIn.has(session ?? '') || !isOwn) return say(401, { message: 'Unauthenticated.' })
    return state.lists.has(plain) ? say(200, state.lists.get(plain)) : say(404)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const open = (more: Partial<LegacyOptions> = {}) =>
    openLegacy({ url: origin, idleTimeoutMs: 300, retryDelaysMs: [5, 5], ...more })
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

/** An answer with this status, header and body. */
export const answering =
  (status: number, headers: Record<string, string> = {}, body = ''): Answer =>
  (_, response) => {
    response.writeHead(status, headers).end(body)
  }
