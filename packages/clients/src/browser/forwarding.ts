import { createServer, type IncomingMessage, request as requestTo, type ServerResponse } from 'node:http'
import { type AddressInfo, isIP, type Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import type { Reach } from '../page/reach.ts'
import { connectionFailure } from '../probe/failure.ts'

/** A proxy on loopback that one visit's traffic goes through, all of it. */
export interface Forwarding {
  /** For the browser's settings. */
  readonly address: string
  /** Why a host was not reached, in a sentence without its full stop; undefined where it was. */
  refusalOf(host: string): string | undefined
  close(): Promise<void>
}

interface ForwardingSettings {
  /**
   * Whether certificates are checked here. The browser knows no authorities but the public ones, so that it has to take
   * any certificate where others are trusted too; then what passes is what was checked.
   */
  readonly checksCertificates: boolean
  /** Bytes that may come in, over all connections. */
  readonly mostBytes: number
  readonly mostConnections: number
  /** Told once, when there were more. */
  readonly onFull: () => void
}

/** The first byte of a TLS record that holds a handshake (RFC 8446, section 5.1). */
const handshake = 0x16

/**
 * Starts it. Names are resolved and addresses checked here, by the rules of the page fetcher, on the very connection
 * that is then used; so no redirect, no script and no name that changes its address leads the browser elsewhere.
 */
export async function startForwarding(reach: Reach, settings: ForwardingSettings): Promise<Forwarding> {
  const { checksCertificates, mostBytes, mostConnections, onFull } = settings
  const sockets = new Set<Duplex>()
  const refusals = new Map<string, string>()
  const checked = new Map<string, Promise<unknown>>()
  let bytes = 0
  let connections = 0
  let isFull = false

  function fill(): void {
    if (isFull) return
    isFull = true
    onFull()
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
      if (bytes > mostBytes) fill()
    })
  }

  /** @throws {ProbeFailure} */
  async function connected(protocol: 'http:' | 'https:', hostname: string, port: string): Promise<Socket> {
    connections += 1
    if (connections > mostConnections) fill()
    if (isFull) throw new Error('the visit is over')
    try {
      const socket = await new Promise<Socket>((resolve, reject) => {
        reach.connect({ protocol, hostname, host: hostname, port }, (error, socket) =>
          error === null ? resolve(socket) : reject(error),
        )
      })
      refusals.delete(protocol + hostname)
      return keep(socket)
    } catch (error) {
      const { message } = connectionFailure(
        error instanceof Error ? error : new Error(String(error)),
        'connection',
      )
      refusals.set(protocol + hostname, message)
      throw error
    }
  }

  /** Once for each host: shakes hands there as the page fetcher does, and so checks what the browser cannot. */
  function certificateOf(hostname: string, port: string): Promise<unknown> {
    const key = `${hostname} ${port}`
    const known =
      checked.get(key) ?? connected('https:', hostname, port).then((socket) => void socket.destroy())
    checked.set(key, known)
    return known
  }

  async function tunnel(client: Duplex, authority: string, head: Buffer): Promise<void> {
    const { hostname, port } = placeOf(authority)
    let socket: Socket
    try {
      socket = await connected('http:', hostname, port)
    } catch {
      client.end('HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n')
      return
    }
    client.on('close', () => socket.destroy())
    socket.on('close', () => client.destroy())
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    const first = head.length > 0 ? head : await firstOf(client)
    if (first === null) return void socket.destroy()
    if (checksCertificates && first[0] === handshake) {
      try {
        await certificateOf(hostname, port)
      } catch {
        client.destroy()
        return void socket.destroy()
      }
    }
    socket.write(first)
    client.pipe(socket)
    counted(socket)
    socket.pipe(client)
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(request.url ?? '')
    // Only a proxy is asked for whole addresses.
    if (url?.protocol !== 'http:') return void response.writeHead(400).end()
    const { hostname, port } = placeOf(url.host)
    let socket: Socket
    try {
      socket = await connected('http:', hostname, port)
    } catch {
      return void response.writeHead(502).end()
    }
    const onward = requestTo({
      createConnection: () => socket,
      method: request.method ?? 'GET',
      path: url.pathname + url.search,
      headers: { ...withoutHops(request.headers), host: url.host, connection: 'close' },
    })
    onward.on('error', () => response.destroy())
    onward.on('response', (answer) => {
      counted(answer)
      answer.on('error', () => response.destroy())
      response.writeHead(answer.statusCode ?? 502, withoutHops(answer.headers))
      answer.pipe(response)
    })
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  }

  const server = createServer((request, response) => {
    response.on('error', () => response.destroy())
    forward(request, response).catch(() => response.destroy())
  })
  server.on('connection', keep)
  server.on('clientError', (_, socket) => socket.destroy())
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    tunnel(client, request.url ?? '', head).catch(() => client.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    refusalOf(host) {
      const { hostname } = placeOf(host)
      return refusals.get(`https:${hostname}`) ?? refusals.get(`http:${hostname}`)
    },
    close() {
      isFull = true
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Of `host:port`; an IPv6 address comes out of its brackets, as undici's connectors want it. */
function placeOf(authority: string): { readonly hostname: string; readonly port: string } {
  const [, host = authority, port = '80'] = /^(.*?)(?::(\d{1,5}))?$/.exec(authority) ?? []
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  return { hostname: isIP(bare) === 6 ? bare : host.toLowerCase(), port }
}

/** What the other side says first; null where it leaves without a word. */
const firstOf = (socket: Duplex) =>
  new Promise<Buffer | null>((resolve) => {
    socket.once('close', () => resolve(null))
    socket.once('data', (chunk: Buffer) => {
      socket.pause()
      resolve(chunk)
    })
  })

/** Headers that are between two neighbours alone (RFC 9110, section 7.6.1). */
const hops = new Set([
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
  Object.fromEntries(Object.entries(headers).filter(([name]) => !hops.has(name)))
