import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Route } from '@kustos/contract/route'
import type { FastifyHttpOptions, FastifyInstance, RawServerDefault } from 'fastify'

/** Times are in milliseconds, sizes in bytes. */
export interface Limits {
  /** For the headers of a request, which browsers send at once. */
  readonly head: number
  /** For a request with its body. */
  readonly request: number
  /** How often both are checked. Node's default of 30 seconds would extend both by half a minute. */
  readonly lookEvery: number
  /** For a silent connection. Event streams send a comment every 15 seconds. */
  readonly silence: number
  /**
   * For reading an answer, except event streams. A client that reads a little now and then is not silent, but keeps an
   * outdated list of 18 MB in memory. That list, even uncompressed, takes this long at 1.2 Mbit/s.
   */
  readonly answer: number
  /** For an idle connection: longer than proxies keep theirs (60 s), which would otherwise use closed ones. */
  readonly keepAlive: number
  /** Every screen holds one for its event stream. Further connections are closed at once. */
  readonly connections: number
  /**
   * For an export, which takes one or two seconds with 10,000 webs, and ten times that on an overloaded machine. Only a
   * regular expression with endless backtracking takes longer. It and the next export are both answered before `silence`
   * cuts them off.
   */
  readonly export: number
}

export const usualLimits: Limits = {
  head: 10_000,
  request: 30_000,
  lookEvery: 2_000,
  silence: 60_000,
  answer: 120_000,
  keepAlive: 65_000,
  connections: 2_000,
  export: 25_000,
}

const KiB = 1024

/** The largest body: a web with a long comment, each of its 10,000 characters escaped. */
const largestBody = 256 * KiB
/** For public routes: an e-mail and a password of 1,024 characters, escaped. */
const largestPublicBody = 8 * KiB
/** For routes without a body: some clients always send an empty object. */
const noBodyLimit = KiB

/** @returns bytes */
export const bodyLimitOf = ({ body, access }: Route): number =>
  body === undefined ? noBodyLimit : access === 'public' ? largestPublicBody : largestBody

/** The limits as options of Fastify and Node. */
export function serverLimits({ head, request, lookEvery, silence, keepAlive }: Limits) {
  return {
    bodyLimit: largestBody,
    requestTimeout: request,
    connectionTimeout: silence,
    keepAliveTimeout: keepAlive,
    // The connection of a proxy carries the requests of many users, so it is never closed after some of them.
    maxRequestsPerSocket: 0,
    http: {
      headersTimeout: head,
      connectionsCheckingInterval: lookEvery,
      // All headers together. The address of a filter and the cookies take a quarter of it.
      maxHeaderSize: 16 * KiB,
      requireHostHeader: true,
      insecureHTTPParser: false,
    },
    clientErrorHandler: refuseUnread,
  } satisfies FastifyHttpOptions<RawServerDefault>
}

/** Limits the number of connections and the time for reading an answer, for which Fastify has no options. */
export function limitConnections(app: FastifyInstance, { connections, answer }: Limits): void {
  app.server.maxConnections = connections
  app.addHook('onSend', (_request, { raw }, payload, next) => {
    const cutOff = setTimeout(() => raw.destroy(), answer).unref()
    raw.once('close', () => clearTimeout(cutOff))
    next(null, payload)
  })
}

const refusals: Readonly<Record<string, readonly [number, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long.'],
  HPE_HEADER_OVERFLOW: [431, "The request's headers are too large."],
}

/** Answers a malformed request in JSON and closes the connection. */
function refuseUnread(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [status, message] = refusals[error.code ?? ''] ?? [400, 'This is no request.']
  const body = JSON.stringify({ message })
  if (socket.writable) {
    socket.write(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'content-type: application/json; charset=utf-8',
        `content-length: ${Buffer.byteLength(body)}`,
        'cache-control: no-store',
        'x-content-type-options: nosniff',
        'connection: close',
        '',
        body,
      ].join('\r\n'),
    )
  }
  socket.destroy(error)
}
