import { createServer, type IncomingMessage, request as requestTo, type ServerResponse } from 'node:http'
import { type AddressInfo, isIP, type Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import { type FetchFailure, toFetchError } from '../connect/fetch-error.ts'
import type { GuardedConnector } from '../connect/guarded-connector.ts'
import { assertWebPort } from '../connect/web-port.ts'

export type EgressProxy = Awaited<ReturnType<typeof startEgressProxy>>

/** The two ends of the connection to a browser: this process and the browser's machine. */
export interface BrowserLink {
  readonly local: string
  readonly remote: string
}

export const loopbackLink: BrowserLink = { local: '127.0.0.1', remote: '127.0.0.1' }

interface EgressProxySettings {
  /** The proxy listens at the near end and serves the far end only. */
  readonly link: BrowserLink
  /**
   * Whether the proxy checks certificates, since the browser has to accept any certificate if private authorities are
   * trusted.
   */
  readonly checksCertificates: boolean
  /** Sent and received over all connections. */
  readonly maxBytes: number
  readonly maxConnections: number
  /** Called once a limit is exceeded. */
  readonly onLimit: () => void
}

/** The first byte of a TLS handshake (RFC 8446, section 5.1). */
const tlsHandshake = 0x16

/**
 * Starts a proxy for all traffic of one visit. It resolves names and checks addresses for the connections it
 * uses, so that no redirect, script or changing DNS answer leads the browser to a private address or a port that websites do
 * not have.
 */
export async function startEgressProxy(connector: GuardedConnector, settings: EgressProxySettings) {
  const { link, checksCertificates, maxBytes, maxConnections, onLimit } = settings
  const sockets = new Set<Duplex>()
  const refusals = new Map<string, FetchFailure>()
  const checked = new Map<string, Promise<unknown>>()
  let bytes = 0
  let connections = 0
  let isFull = false

  function fill(): void {
    if (isFull) return
    isFull = true
    onLimit()
    for (const socket of sockets) socket.destroy()
  }

  function keep<Kept extends Duplex>(socket: Kept): Kept {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    return socket
  }

  function counted(stream: Readable): void {
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) fill()
    })
  }

  /** @throws {FetchError} */
  async function connected(protocol: 'http:' | 'https:', hostname: string, port: string): Promise<Socket> {
    connections += 1
    if (connections > maxConnections) fill()
    if (isFull) throw visitIsOver()
    try {
      assertWebPort(Number(port))
      const socket = await new Promise<Socket>((resolve, reject) => {
        connector.connect({ protocol, hostname, host: hostname, port }, (error, socket) =>
          error === null ? resolve(socket) : reject(error),
        )
      })
      refusals.delete(protocol + hostname)
      keep(socket)
      if (!isFull) return socket
      socket.destroy()
    } catch (error) {
      refusals.set(protocol + hostname, toFetchError(error, 'connection').failure)
      throw error
    }
    // The visit has ended while the connection was being made.
    throw visitIsOver()
  }

  /** Checks a host's certificate by a handshake of its own, once. */
  function checkCertificate(hostname: string, port: string): Promise<unknown> {
    const key = `${hostname} ${port}`
    const known =
      checked.get(key) ?? connected('https:', hostname, port).then((socket) => void socket.destroy())
    checked.set(key, known)
    return known
  }

  async function tunnel(client: Duplex, authority: string, head: Buffer): Promise<void> {
    const { hostname, port } = parseAuthority(authority)
    let socket: Socket
    try {
      socket = await connected('http:', hostname, port)
    } catch {
      client.end('HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n')
      return
    }
    // The browser may have given up meanwhile.
    if (client.destroyed || client.readableEnded) {
      client.destroy()
      return void socket.destroy()
    }
    client.on('close', () => socket.destroy())
    socket.on('close', () => client.destroy())
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    const first = head.length > 0 ? head : await firstChunk(client)
    if (first === null) {
      client.destroy()
      return void socket.destroy()
    }
    if (checksCertificates && first[0] === tlsHandshake) {
      try {
        await checkCertificate(hostname, port)
      } catch {
        client.destroy()
        return void socket.destroy()
      }
    }
    socket.write(first)
    counted(client)
    client.pipe(socket)
    counted(socket)
    socket.pipe(client)
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(request.url ?? '')
    // Requests to a proxy contain absolute addresses.
    if (url?.protocol !== 'http:') return void response.writeHead(400).end()
    const { hostname, port } = parseAuthority(url.host)
    let socket: Socket
    try {
      socket = await connected('http:', hostname, port)
    } catch {
      return void response.writeHead(502).end()
    }
    if (response.destroyed) return void socket.destroy()
    const onward = requestTo({
      createConnection: () => socket,
      method: request.method ?? 'GET',
      path: url.pathname + url.search,
      headers: { ...withoutHops(request.headers), host: url.host, connection: 'close' },
    })
    onward.on('error', () => response.destroy())
    onward.on('response', (received) => {
      counted(received)
      received.on('error', () => response.destroy())
      const { statusCode = 0 } = received
      // Node reads statuses such as 099, but throws on writing them.
      if (statusCode < 100) return void response.destroy()
      response.writeHead(statusCode, withoutHops(received.headers))
      received.pipe(response)
    })
    response.on('close', () => onward.destroy())
    counted(request)
    request.pipe(onward)
  }

  const server = createServer((request, response) => {
    response.on('error', () => response.destroy())
    forward(request, response).catch(() => response.destroy())
  })
  server.on('connection', (socket) => {
    if (socket.remoteAddress === link.remote) keep(socket)
    else socket.destroy()
  })
  server.on('clientError', (_, socket) => socket.destroy())
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    tunnel(client, request.url ?? '', head).catch(() => client.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, link.local, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    address: `http://${isIP(link.local) === 6 ? `[${link.local}]` : link.local}:${port}`,
    /** Why a host was not reached. */
    refusalOf(host: string): FetchFailure | undefined {
      const { hostname } = parseAuthority(host)
      return refusals.get(`https:${hostname}`) ?? refusals.get(`http:${hostname}`)
    },
    close() {
      isFull = true
      for (const socket of sockets) socket.destroy()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

const visitIsOver = () => new Error('the visit is over')

/** Parses `host:port`; undici's connectors expect an IPv6 address without brackets. */
function parseAuthority(authority: string): { readonly hostname: string; readonly port: string } {
  const [, host = authority, port = '80'] = /^(.*?)(?::(\d{1,5}))?$/.exec(authority) ?? []
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  return { hostname: isIP(bare) === 6 ? bare : host.toLowerCase(), port }
}

/** Resolves with the first bytes, or null if the socket ends or closes before. */
const firstChunk = (socket: Duplex) =>
  new Promise<Buffer | null>((resolve) => {
    socket.once('end', () => resolve(null))
    socket.once('close', () => resolve(null))
    socket.once('data', (chunk: Buffer) => {
      socket.pause()
      resolve(chunk)
    })
  })

/** Hop-by-hop headers (RFC 9110, section 7.6.1). */
const hopHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const withoutHops = (headers: IncomingMessage['headers']) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !hopHeaders.has(name)))
