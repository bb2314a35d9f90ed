import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Route } from '@kustos/contract/route'
import type { FastifyHttpOptions, FastifyInstance, RawServerDefault } from 'fastify'

/** What a client may take up of a server. Times in milliseconds, sizes in bytes. */
export interface Limits {
  /** For the head of a request: a browser sends it at once, whoever trickles it keeps a connection for nothing. */
  readonly head: number
  /** For a request with its body: 256 KiB within this is slower than any line that staff work on. */
  readonly request: number
  /** How often both are looked at. Node's 30 seconds would let everything above take half a minute longer. */
  readonly lookEvery: number
  /** For a connection on which nothing moves; a stream of events says every 15 seconds that it lives. */
  readonly silence: number
  /**
   * For an answer to be taken, from when it is ready; a stream of events is none. Whoever takes a little now and then is not
   * silent, and keeps a list of 18 MB in memory that others have long had a newer one of. That list, not even compressed,
   * is taken within this at 1.2 Mbit/s.
   */
  readonly answer: number
  /** For a connection between two requests: longer than proxies keep theirs (60 s), or they would send into closed ones. */
  readonly keepAlive: number
  /** Each screen holds one for its stream: an agency has some hundred. What comes beyond is closed at once. */
  readonly connections: number
  /**
   * For an export, which takes a second or two with 10,000 webs, and ten times that where the machine is overloaded; only a
   * regular expression that backtracks without end takes more. One of these and the export that waits behind it are
   * both answered before `silence` cuts them off.
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
/** Of those who need not be signed in: an e-mail and a password of 1,024 characters, escaped. */
const largestPublicBody = 8 * KiB
/** Where none is asked for: clients that send an empty object with everything are let through. */
const noBodyLimit = KiB

/** @returns the limit of a route's body, in bytes */
export const bodyLimitOf = ({ body, access }: Route): number =>
  body === undefined ? noBodyLimit : access === 'public' ? largestPublicBody : largestBody

/** The limits as Fastify and Node take them. */
export function serverLimits({ head, request, lookEvery, silence, keepAlive }: Limits) {
  return {
    bodyLimit: largestBody,
    requestTimeout: request,
    connectionTimeout: silence,
    keepAliveTimeout: keepAlive,
    // A proxy's connection carries the requests of many: to close it after some would cut off who comes next.
    maxRequestsPerSocket: 0,
    http: {
      headersTimeout: head,
      connectionsCheckingInterval: lookEvery,
      // Of all headers together: a filter's address and the cookies take up a quarter of it.
      maxHeaderSize: 16 * KiB,
      requireHostHeader: true,
      insecureHTTPParser: false,
    },
    clientErrorHandler: refuseUnread,
  } satisfies FastifyHttpOptions<RawServerDefault>
}

/** How many connections there may be, and how long each may take over an answer, neither of which Fastify can be told. */
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

/** Answers what never became a request, like all else: as JSON that no browser takes for a page. Then it is over. */
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
