import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'

/** The id of a request in logs, responses and the jobs that it enqueues. */
const requestIdHeader = 'x-request-id'

/** Long enough to be unique, and without special characters. */
const wellFormed = /^[\w.-]{8,64}$/

/**
 * A new id for each request, or the one of a trusted proxy.
 * @param proxies addresses and networks (CIDR) of trusted proxies
 */
export function requestIds(proxies: readonly string[]): (request: IncomingMessage) => string {
  const trusted = new BlockList()
  for (const entry of proxies) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(bits), family)
  }
  const isTrusted = (address = '') =>
    isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  return ({ headers, socket }) => {
    const given = headers[requestIdHeader]
    return typeof given === 'string' && wellFormed.test(given) && isTrusted(socket.remoteAddress)
      ? given
      : crypto.randomUUID()
  }
}

/** Turns off Fastify's two lines per request; `logRequest` writes one instead. */
export class SilentLogController extends LogController {
  constructor() {
    super({ requestIdLogLabel: 'req_id' })
  }
  override incomingRequest(): void {}
  override requestCompleted(): void {}
}

/** Requested every few seconds by monitoring. */
export const healthCheckRoutes: readonly (string | undefined)[] = ['/api/health', '/api/ready', '/metrics']

/** No route has longer paths. */
const maxLoggedPathLength = 200

/** Adds the id to the response, and logs each request when its response has been sent. */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  reply.header(requestIdHeader, request.id)
  // A connection that the client has closed has none any more.
  const address = request.ip
  onResponseClosed(reply, ({ ms, isComplete }) => {
    const { statusCode: status } = reply.raw
    const { url: route } = request.routeOptions
    const level = status >= 500 ? 'error' : healthCheckRoutes.includes(route) ? 'debug' : 'info'
    const bytes = Number(reply.raw.getHeader('content-length') ?? Number.NaN)
    const location = reply.raw.getHeader('location')
    request.log[level](
      {
        method: request.method,
        ...(route !== undefined && { route }),
        // Without the query, which may contain secrets.
        path: request.url.split('?', 1)[0]?.slice(0, maxLoggedPathLength),
        status,
        ms: Math.round(ms * 10) / 10,
        address,
        ...(request.actor && { user: request.actor.id }),
        ...(Number.isFinite(bytes) && { bytes }),
        // The deployment or inspection that was requested.
        ...(location !== undefined && { location }),
        ...(!isComplete && { aborted: true }),
      },
      'request',
    )
  })
}

/** Calls back when the response has been sent or the client has disconnected. */
export function onResponseClosed(
  { raw }: FastifyReply,
  listener: (over: { readonly ms: number; readonly isComplete: boolean }) => void,
): void {
  const started = performance.now()
  raw.once('close', () => listener({ ms: performance.now() - started, isComplete: raw.writableFinished }))
}
