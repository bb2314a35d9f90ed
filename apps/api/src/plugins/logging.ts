import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'

/** Names a request in logs, in answers, and in the jobs that it asks for. */
const requestIdHeader = 'x-request-id'

/** Long enough to be one of its kind, and of nothing that means something in a log or a header. */
const wellFormed = /^[\w.-]{8,64}$/

/**
 * A new id for each request, or the one that a proxy has given it already.
 * @param proxies addresses and networks (CIDR) of those whose word counts
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

/** What the framework says of its own of each request is said by `logRequest`, in one line. */
export class RequestLines extends LogController {
  constructor() {
    super({ requestIdLogLabel: 'req_id' })
  }
  override incomingRequest(): void {}
  override requestCompleted(): void {}
}

/** Asked every few seconds by those who watch the process. */
const probes: readonly (string | undefined)[] = ['/api/health', '/api/ready', '/metrics']

/** Longer paths are nobody's. */
const longestPath = 200

/** Names the request in its answer, and writes a line of it once that is over. */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  reply.header(requestIdHeader, request.id)
  onceOver(reply, ({ ms, isWhole }) => {
    const { statusCode: status } = reply.raw
    const { url: route } = request.routeOptions
    const level = status >= 500 ? 'error' : probes.includes(route) ? 'debug' : 'info'
    const bytes = Number(reply.raw.getHeader('content-length') ?? Number.NaN)
    const location = reply.raw.getHeader('location')
    request.log[level](
      {
        method: request.method,
        ...(route !== undefined && { route }),
        // Without the query, which can hold anything.
        path: request.url.split('?', 1)[0]?.slice(0, longestPath),
        status,
        ms: Math.round(ms * 10) / 10,
        address: request.ip,
        ...(request.actor && { user: request.actor.id }),
        ...(Number.isFinite(bytes) && { bytes }),
        // Names the deployment or the inspection that was accepted.
        ...(location !== undefined && { location }),
        ...(!isWhole && { aborted: true }),
      },
      'request',
    )
  })
}

/** Calls back when the answer is out, or its reader gone. */
export function onceOver(
  { raw }: FastifyReply,
  tell: (over: { readonly ms: number; readonly isWhole: boolean }) => void,
): void {
  const started = performance.now()
  raw.once('close', () => tell({ ms: performance.now() - started, isWhole: raw.writableFinished }))
}
