import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Route } from '@kustos/contract/route'
import type { FastifyHttpOptions, FastifyInstance, RawServerDefault } from 'fastify'

export interface Limits {
  /** For the headers of a request, which browsers send at once. */
  readonly headersMs: number
  readonly requestMs: number
  /** How often both are checked. Node's default of 30 seconds would extend both by half a minute. */
  readonly checkIntervalMs: number
  /** For a silent connection. Event streams send a comment every 15 seconds. */
  readonly socketIdleTimeoutMs: number
  /**
   * For reading a response, except event streams and those that are made while they are read (`isMadeInPages`). A client that reads a
   * little now and then is not silent, but keeps an outdated list of 18 MB in memory. That list, even uncompressed, takes this long
   * at 1.2 Mbit/s.
   */
  readonly responseMs: number
  /** For an idle connection: longer than proxies keep theirs (60 s), which would otherwise use closed ones. */
  readonly keepAliveMs: number
  /** Every screen holds one for its event stream. Further connections are closed at once. */
  readonly connections: number
  /**
   * For an export. One of 100,000 webs computes for 10 seconds, and takes some times that on an overloaded machine. Its
   * response is sent before `socketIdleTimeoutMs` is over; that of an export which waits for such a long one may not be.
   */
  readonly exportMs: number
  /**
   * For filtering and sorting the rows of an export, which takes a tenth of a second with 10,000 webs, and ten times that on
   * an overloaded machine.
   */
  readonly exportSelectionMs: number
}

export const usualLimits: Limits = {
  headersMs: 10_000,
  requestMs: 30_000,
  checkIntervalMs: 2_000,
  socketIdleTimeoutMs: 60_000,
  responseMs: 120_000,
  keepAliveMs: 65_000,
  connections: 2_000,
  exportMs: 50_000,
  exportSelectionMs: 3_000,
}

const KiB = 1024

/** A contract with some fields for each of 10,000 webs, of which a web takes 400 bytes. */
const largestBody = 4096 * KiB
/** A web with a long comment, each of its 10,000 characters escaped. */
const usualBody = 256 * KiB
/** For public routes: an e-mail and a password of 1,024 characters, escaped. */
const largestPublicBody = 8 * KiB
/** For routes without a body: some clients always send an empty object. */
const noBodyLimit = KiB

/** @returns bytes */
export function getBodyLimit({ body, access, isLargeBody }: Route): number {
  if (body === undefined) return noBodyLimit
  if (access === 'public') return largestPublicBody
  return isLargeBody === true ? largestBody : usualBody
}

export function serverLimits(limits: Limits) {
  return {
    bodyLimit: usualBody,
    requestTimeout: limits.requestMs,
    connectionTimeout: limits.socketIdleTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    // The connection of a proxy carries the requests of many users, so it is never closed after some of them.
    maxRequestsPerSocket: 0,
    http: {
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkIntervalMs,
      // All headers together. The address of a filter and the cookies take a quarter of it.
      maxHeaderSize: 16 * KiB,
      requireHostHeader: true,
      insecureHTTPParser: false,
    },
    clientErrorHandler: refuseUnread,
  } satisfies FastifyHttpOptions<RawServerDefault>
}

declare module 'fastify' {
  interface FastifyReply {
    /** Set for a response of any length, of which the server has a page in memory at a time. A silent client is still disconnected. */
    isMadeInPages: boolean
  }
}

/** Limits the number of connections and the time for reading a response, for which Fastify has no options. */
export function limitConnections(app: FastifyInstance, { connections, responseMs }: Limits): void {
  app.server.maxConnections = connections
  app.decorateReply('isMadeInPages', false)
  app.addHook('onSend', (_request, { raw, isMadeInPages }, payload, next) => {
    if (isMadeInPages) return next(null, payload)
    const cutOff = setTimeout(() => raw.destroy(), responseMs).unref()
    raw.once('close', () => clearTimeout(cutOff))
    next(null, payload)
  })
}

const refusals: Readonly<Record<string, readonly [number, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long.'],
  HPE_HEADER_OVERFLOW: [431, "The request's headers are too large."],
}

/** Responds to a malformed request in JSON and closes the connection. */
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
