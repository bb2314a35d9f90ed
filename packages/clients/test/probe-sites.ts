import { spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import tls from 'node:tls'
import type { Credentials } from './probe-certificates.ts'

/** A connection from the view of the site. */
export interface Visit {
  /** The local address. */
  readonly to: string
  /** From SNI. */
  readonly servername: string | null
  readonly resumed: boolean
  /** The request's header, once it is complete. */
  request: string | null
  /** Including bytes in the buffers of the operating system. */
  sentBytes(): number
  closed: boolean
}

/** Responds to a request, or does not. */
export type Behaviour = (socket: net.Socket) => void

export interface Site {
  readonly port: number
  /** Connections with a completed handshake. */
  readonly visits: readonly Visit[]
  /** All connections. */
  readonly connections: readonly { readonly to: string }[]
  /** Sets the behaviour for the next connections. */
  behave(behaviour: Behaviour): void
  /** Sets the certificate for the next handshakes; earlier sessions can be resumed. */
  renew(credentials: Credentials): void
  stop(): Promise<void>
}

export const respondWith =
  (response: string | Buffer): Behaviour =>
  (socket) =>
    void socket.end(response)

export const page = (status: string, ...headers: string[]) =>
  respondWith(`HTTP/1.1 ${[status, 'Content-Length: 5', ...headers].join('\r\n')}\r\n\r\nhello`)

interface SiteOptions {
  /** HTTP without them. */
  readonly credentials?: Credentials
  readonly behaviour?: Behaviour
  readonly host?: string
  readonly options?: tls.TlsOptions
}

/** A web server on real sockets with a configurable behaviour. */
export async function startSite({
  credentials,
  behaviour = page('200 OK'),
  ...rest
}: SiteOptions = {}): Promise<Site> {
  const visits: Visit[] = []
  const connections: { to: string }[] = []
  const sockets = new Set<net.Socket>()
  let current = behaviour

  function handleConnection(socket: net.Socket): void {
    const secure = socket instanceof tls.TLSSocket ? socket : null
    const visit: Visit = {
      to: socket.localAddress ?? '',
      servername: secure?.servername ? String(secure.servername) : null,
      resumed: secure?.isSessionReused() ?? false,
      request: null,
      sentBytes: () => socket.bytesWritten,
      closed: false,
    }
    visits.push(visit)
    let head = ''
    const respond = current
    socket.on('data', (bytes) => {
      if (visit.request !== null) return
      head += String(bytes)
      if (!head.includes('\r\n\r\n')) return
      visit.request = head
      respond(socket)
    })
    // Probes close connections, which is an error for a socket that is still written to.
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      visit.closed = true
    })
  }

  const server =
    credentials === undefined
      ? net.createServer(handleConnection)
      : tls.createServer({ ...credentials, ...rest.options }, handleConnection)
  server.on('connection', (socket) => {
    connections.push({ to: socket.localAddress ?? '' })
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  })
  // The client aborted the handshake.
  server.on('tlsClientError', (_, socket: tls.TLSSocket) => socket.destroy())
  server.listen(0, rest.host ?? '0.0.0.0')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('There is no port')
  return {
    port: address.port,
    visits,
    connections,
    behave(behaviour) {
      current = behaviour
    },
    renew(renewed) {
      if (!(server instanceof tls.Server)) return
      const keys = server.getTicketKeys()
      server.setSecureContext(renewed)
      server.setTicketKeys(keys)
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A local port where nothing listens. */
export async function closedPort(): Promise<number> {
  const site = await startSite()
  await site.stop()
  return site.port
}

/** A port that neither accepts nor refuses connections: its process is suspended and its backlog full. */
export async function startUnacceptingPort() {
  const listen =
    "const s = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(s.address().port))"
  const child = spawn(process.execPath, ['-e', listen], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  const port = Number(line)
  child.kill('SIGSTOP')
  const waiting: net.Socket[] = []
  for (let isFull = false; !isFull; ) {
    const socket = net.connect({ port, host: '127.0.0.1' })
    waiting.push(socket)
    isFull = await Promise.race([
      once(socket, 'connect').then(() => false),
      new Promise<true>((resolve) => setTimeout(resolve, 100, true)),
    ])
  }
  return {
    port,
    async stop() {
      for (const socket of waiting) socket.destroy()
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}
