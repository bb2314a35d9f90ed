import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll } from 'vitest'

/** What comes back in place of a call's own answer. */
export interface ResponseOverride {
  readonly status?: number
  readonly body: string
}

/**
 * A former system whose answers can be changed on their way, and which can die.
 * @param origin of the real one
 */
export async function startProxy(origin: string) {
  const state = {
    /** Calls that are answered before every further one breaks. */
    lives: Number.POSITIVE_INFINITY,
    calls: 0,
    /** Told of each call as it comes. */
    onCall: null as ((calls: number) => void) | null,
    change: null as ((path: string, body: string) => string | ResponseOverride) | null,
  }
  const server = createServer(async (request, response) => {
    if (++state.calls > state.lives) return void request.socket.destroy()
    state.onCall?.(state.calls)
    const answer = await fetch(origin + request.url, {
      method: request.method ?? 'GET',
      headers: headersOf(request),
      redirect: 'manual',
      ...(request.method === 'POST' && { body: await buffer(request) }),
    })
    const body = await answer.text()
    const said = answer.status === 200 ? state.change?.(request.url ?? '', body) : undefined
    const { status = answer.status, body: changed } = typeof said === 'object' ? said : { body: said ?? body }
    response.writeHead(status, {
      'content-type': answer.headers.get('content-type') ?? 'text/plain',
      'set-cookie': answer.headers.getSetCookie(),
    })
    response.end(status === 204 ? undefined : changed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  return { state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const passed = ['accept', 'cookie', 'content-type', 'x-xsrf-token'] as const

const headersOf = ({ headers }: IncomingMessage) =>
  passed.flatMap((name): [string, string][] => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
