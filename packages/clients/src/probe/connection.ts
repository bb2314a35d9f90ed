import net from 'node:net'
import tls from 'node:tls'
import { type Certificate, readCertificate } from '../connect/certificate.ts'
import { FetchError, type Stage, toError, toFetchError } from '../connect/fetch-error.ts'
import type { HostAddress } from '../connect/host-connector.ts'
import { type HttpRequest, writeRequest } from './http-request.ts'
import { createResponseReader, type ResponseReader } from './response-reader.ts'
import type { TlsSessions } from './tls-sessions.ts'

export interface ProbeRun {
  /** Its reason is a FetchError. */
  readonly signal: AbortSignal
  /** As `performance.now()`. */
  readonly endsAt: number
  stage: Stage
}

export interface ConnectTarget extends Omit<HostAddress, 'remaining'> {
  readonly isSecure: boolean
  readonly request: HttpRequest
  /** Null if only the probe's own deadline applies. */
  readonly connectTimeoutMs: number | null
}

export interface ProbeResponse extends Pick<ResponseReader, 'header' | 'body'> {
  readonly status: number
  /** When the header was complete, as `performance.now()`. */
  readonly at: number
  /** Null if there was no full TLS handshake. */
  readonly certificate: Certificate | null
  /** Whether there was nothing but white space in the body. */
  readonly isBlank: boolean
}

/**
 * Returns a function that sends a request over a new connection, which it closes once the response is known.
 * It rejects with a FetchError.
 */
export function createProbeConnections(context: tls.SecureContext, sessions: TlsSessions) {
  // Shared by all connections, since each chunk is read at once. A stream with its own chunks costs a sixth of a probe.
  const buffer = Buffer.allocUnsafe(64 * 1024)

  return (target: ConnectTarget, run: ProbeRun): Promise<ProbeResponse> =>
    new Promise((resolve, reject) => {
      const { name, isSecure, address: host, port, connectTimeoutMs, request } = target
      const response = createResponseReader(request)
      let respondedAt: number | null = null
      let certificate: Certificate | null = null
      let session: Buffer | null = null
      let settled = false
      run.stage = 'connection'

      const onread = {
        buffer,
        callback(size: number): boolean {
          if (settled) return false
          try {
            const whole = response.take(buffer.subarray(0, size))
            if (response.status !== null && respondedAt === null) {
              respondedAt = performance.now()
              run.stage = 'body'
            }
            if (whole) succeed()
          } catch (error) {
            fail(toError(error))
          }
          return !settled
        },
      }
      const socket = isSecure
        ? connectSecurely()
        : net.connect({ host, port, onread, autoSelectFamily: false })
      const connectTimer = connectTimeoutMs === null ? undefined : setTimeout(giveUp, connectTimeoutMs)
      socket.once('connect', connected)
      socket.once(isSecure ? 'secureConnect' : 'connect', send)
      socket.once('end', ended)
      // Stays after the end, since an unhandled error of a socket would end the process.
      socket.on('error', fail)
      socket.once('close', () => settled || fail(new Error('the connection was closed')))
      run.signal.addEventListener('abort', abort)
      if (run.signal.aborted) abort()

      function connectSecurely() {
        const options: tls.ConnectionOptions & Pick<net.TcpNetConnectOpts, 'autoSelectFamily' | 'onread'> = {
          host,
          port,
          onread,
          autoSelectFamily: false,
          secureContext: context,
          ALPNProtocols: ['http/1.1'],
          // NODE_TLS_REJECT_UNAUTHORIZED must have no effect.
          rejectUnauthorized: true,
          ...(target.serverName !== undefined && { servername: target.serverName }),
        }
        const resumed = sessions.of(name)
        if (resumed !== undefined) options.session = resumed
        const secured = tls.connect(options)
        // With TLS 1.2 it comes before the certificate is checked, so it is kept only at the end.
        secured.on('session', (latest) => {
          session = latest
        })
        return secured
      }

      function connected(): void {
        clearTimeout(connectTimer)
        const { remoteAddress } = socket
        // Without an address it has been reset already, so nothing can be sent.
        if (remoteAddress === undefined || target.isPermitted(remoteAddress)) run.stage = 'handshake'
        else fail(new FetchError({ code: 'address_private' }))
      }

      function send(): void {
        if (settled) return
        run.stage = 'header'
        if (socket instanceof tls.TLSSocket && !socket.isSessionReused())
          certificate = readCertificate(socket)
        socket.write(writeRequest(name, request))
      }

      function ended(): void {
        if (settled) return
        try {
          if (run.stage === 'handshake') throw new FetchError({ code: 'handshake_closed' })
          response.end()
          succeed()
        } catch (error) {
          fail(toError(error))
        }
      }

      function giveUp(): void {
        fail(new FetchError({ code: 'no_connection' }, { code: 'ETIMEDOUT' }))
      }

      function abort(): void {
        fail(toError(run.signal.reason))
      }

      function over(): void {
        settled = true
        clearTimeout(connectTimer)
        run.signal.removeEventListener('abort', abort)
        socket.destroy()
      }

      function fail(error: Error): void {
        if (settled) return
        over()
        if (isSecure) sessions.forget(name)
        reject(toFetchError(error, run.stage))
      }

      function succeed(): void {
        const { status, header, body } = response
        if (settled || status === null) return
        over()
        if (session !== null) sessions.keep(name, session, certificate?.expiration ?? null)
        else if (certificate !== null) sessions.forget(name)
        resolve({
          status,
          at: respondedAt ?? performance.now(),
          certificate,
          isBlank: response.isBlank(),
          header,
          body,
        })
      }
    })
}
