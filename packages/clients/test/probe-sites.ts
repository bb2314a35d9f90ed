import { spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import tls from 'node:tls'
import type { Credentials } from './probe-certificates.ts'

/** A connection as a site has seen it. */
export interface Visit {
  /** Which of this machine's addresses it came to. */
  readonly to: string
  /** What SNI said. */
  readonly servername: string | null
  readonly resumed: boolean
  /** The request's header, once it is whole. */
  request: string | null
  /** Bytes that the site has sent; those in the system's buffers among them. */
  sent(): number
  closed: boolean
}

/** What a site does with a request that has come. */
export type Behaviour = (socket: net.Socket) => void

export interface Site {
  readonly port: number
  /** Of connections, with their handshakes done. */
  readonly visits: readonly Visit[]
  /** Every connection, whatever becomes of it. */
  readonly connections: readonly { readonly to: string }[]
  /** Changes what comes next. */
  behave(behaviour: Behaviour): void
  /** Changes the certificate that comes next; sessions of before go on. */
  renew(credentials: Credentials): void
  stop(): Promise<void>
}

export const answering =
  (answer: string | Buffer): Behaviour =>
  (socket) =>
    void socket.end(answer)

export const page = (status: string, ...headers: string[]) =>
  answering(`HTTP/1.1 ${[status, 'Content-Length: 5', ...headers].join('\r\n')}\r\n\r\nhello`)

interface Opening {
  /** None: plain HTTP. */
  readonly credentials?: Credentials
  readonly behaviour?: Behaviour
  readonly host?: string
  readonly options?: tls.TlsOptions
}

/** A web server on real sockets that does to its visitors whatever a test says. */
export async function startSite({
  credentials,
  behaviour = page('200 OK'),
  ...rest
}: Opening = {}): Promise<Site> {
  const visits: Visit[] = []
  const connections: { to: string }[] = []
  const sockets = new Set<net.Socket>()
  let current = behaviour

  function visited(socket: net.Socket): void {
    const secure = socket instanceof tls.TLSSocket ? socket : null
    const visit: Visit = {
      to: socket.localAddress ?? '',
      servername: secure?.servername ? String(secure.servername) : null,
      resumed: secure?.isSessionReused() ?? false,
      request: null,
      sent: () => socket.bytesWritten,
      closed: false,
    }
    visits.push(visit)
    let head = ''
    const answer = current
    socket.on('data', (bytes) => {
      if (visit.request !== null) return
      head += String(bytes)
      if (!head.includes('\r\n\r\n')) return
      visit.request = head
      answer(socket)
    })
    // Probes cut connections, which is an error to whoever still writes.
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      visit.closed = true
    })
  }

  const server =
    credentials === undefined
      ? net.createServer(visited)
      : tls.createServer({ ...credentials, ...rest.options }, visited)
  server.on('connection', (socket) => {
    connections.push({ to: socket.localAddress ?? '' })
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  })
  // A handshake that the other side breaks off.
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

/** A port of this machine where nothing listens. */
export async function closedPort(): Promise<number> {
  const site = await startSite()
  await site.stop()
  return site.port
}

/** A port whose process sleeps and whose queue is full: nobody refuses a connection, and nobody takes it. */
export async function startDeafPort() {
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
