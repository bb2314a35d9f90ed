import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll } from 'vitest'

/** Replaces the response of the former system. */
export interface ResponseOverride {
  readonly status?: number
  readonly body: string
}

/**
 * A proxy to the former system that can change responses and break connections.
 * @param origin of the former system
 */
export async function startProxy(origin: string) {
  const state = {
    /** The number of calls before connections break. */
    maxCalls: Number.POSITIVE_INFINITY,
    calls: 0,
    onCall: null as ((calls: number) => void) | null,
    change: null as ((path: string, body: string) => string | ResponseOverride) | null,
  }
  const server = createServer(async (request, response) => {
    if (++state.calls > state.maxCalls) return void request.socket.destroy()
    state.onCall?.(state.calls)
    const upstream = await fetch(origin + request.url, {
      method: request.method ?? 'GET',
      headers: pickHeaders(request),
      redirect: 'manual',
      ...(request.method === 'POST' && { body: await buffer(request) }),
    })
    const body = await upstream.text()
    const override = upstream.status === 200 ? state.change?.(request.url ?? '', body) : undefined
    const { status = upstream.status, body: changed } =
      typeof override === 'object' ? override : { body: override ?? body }
    response.writeHead(status, {
      'content-type': upstream.headers.get('content-type') ?? 'text/plain',
      'set-cookie': upstream.headers.getSetCookie(),
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

const forwardedHeaders = ['accept', 'cookie', 'content-type', 'x-xsrf-token'] as const

const pickHeaders = ({ headers }: IncomingMessage) =>
  forwardedHeaders.flatMap((name): [string, string][] => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
