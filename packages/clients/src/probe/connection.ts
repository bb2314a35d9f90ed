import net from 'node:net'
import tls from 'node:tls'
import { openAnswer } from './answer.ts'
import { connectionFailure, ProbeFailure, type Stage } from './failure.ts'
import type { Certificate } from './prober.ts'
import type { Sessions } from './sessions.ts'

const userAgent = 'Kustos/1.0 (uptime probe)'

/** A probe under way. */
export interface Run {
  /** Aborted with a ProbeFailure. */
  readonly signal: AbortSignal
  /** Of `performance.now()`. */
  readonly endsAt: number
  stage: Stage
}

export interface Errand {
  /** Who is asked for, in TLS and in HTTP. An IPv6 address stands in brackets. */
  readonly name: string
  readonly secure: boolean
  /** Where to. */
  readonly address: string
  readonly port: number
  /** Milliseconds until it has to be connected; null for as long as the probe has. */
  readonly patience: number | null
  /** Asked again of the address that the connection has. */
  permits(address: string): boolean
}

export interface Answered {
  readonly status: number
  /** When its header was whole, of `performance.now()`. */
  readonly at: number
  /** Null where the handshake was not a full one, or where there was none. */
  readonly certificate: Certificate | null
}

/** @returns asks over one new connection, which is cut when the answer is known. Rejects with a ProbeFailure. */
export function openConnections(context: tls.SecureContext, sessions: Sessions) {
  // All connections share it: what comes is read before the next comes. A stream with chunks of its own costs a sixth.
  const buffer = Buffer.allocUnsafe(64 * 1024)

  return (errand: Errand, run: Run): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const { name, secure, address: host, port, patience } = errand
      const answer = openAnswer()
      let answered: number | null = null
      let certificate: Certificate | null = null
      let session: Buffer | null = null
      let settled = false
      run.stage = 'connection'

      const onread = {
        buffer,
        callback(size: number): boolean {
          if (settled) return false
          try {
            const whole = answer.take(buffer.subarray(0, size))
            if (answer.status !== null && answered === null) {
              answered = performance.now()
              run.stage = 'body'
            }
            if (whole) succeed()
          } catch (error) {
            fail(asError(error))
          }
          return !settled
        },
      }
      const socket = secure ? connectSecurely() : net.connect({ host, port, onread, autoSelectFamily: false })
      const impatience = patience === null ? undefined : setTimeout(giveUp, patience)
      socket.once('connect', connected)
      socket.once(secure ? 'secureConnect' : 'connect', request)
      socket.once('end', ended)
      // It stays: an error of a socket that nobody listens to any more would end the process.
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
          // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
          rejectUnauthorized: true,
          // SNI knows no addresses; the certificate is then for the address.
          ...(net.isIP(name.replace(/^\[(.*)\]$/, '$1')) === 0 && { servername: name }),
        }
        const resumed = sessions.of(name)
        if (resumed !== undefined) options.session = resumed
        const secured = tls.connect(options)
        // With TLS 1.2 they come before the certificate has been checked: kept at the end alone.
        secured.on('session', (latest) => {
          session = latest
        })
        return secured
      }

      function connected(): void {
        clearTimeout(impatience)
        const { remoteAddress } = socket
        if (remoteAddress !== undefined && errand.permits(remoteAddress)) run.stage = 'handshake'
        else fail(new ProbeFailure('its address is private'))
      }

      function request(): void {
        if (settled) return
        run.stage = 'header'
        if (socket instanceof tls.TLSSocket && !socket.isSessionReused()) certificate = certificateOf(socket)
        socket.write(
          `GET / HTTP/1.1\r\nHost: ${name}\r\nUser-Agent: ${userAgent}\r\nAccept: */*\r\nConnection: close\r\n\r\n`,
        )
      }

      function ended(): void {
        if (settled) return
        try {
          answer.end()
          succeed()
        } catch (error) {
          fail(asError(error))
        }
      }

      function giveUp(): void {
        fail(new ProbeFailure('no connection', { code: 'ETIMEDOUT' }))
      }

      function abort(): void {
        fail(asError(run.signal.reason))
      }

      function over(): void {
        settled = true
        clearTimeout(impatience)
        run.signal.removeEventListener('abort', abort)
        socket.destroy()
      }

      function fail(error: Error): void {
        if (settled) return
        over()
        if (secure) sessions.forget(name)
        reject(connectionFailure(error, run.stage))
      }

      function succeed(): void {
        if (settled || answer.status === null) return
        over()
        if (session !== null) sessions.keep(name, session, certificate?.expiration ?? null)
        else if (certificate !== null) sessions.forget(name)
        resolve({ status: answer.status, at: answered ?? performance.now(), certificate })
      }
    })
}

function certificateOf(socket: tls.TLSSocket): Certificate {
  const { issuer, valid_to } = socket.getPeerCertificate()
  // A name may have several of one kind, which Node then gives as an array.
  const [authority = 'unknown'] = [issuer.O ?? issuer.CN].flat()
  return { authority, expiration: new Date(valid_to) }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
