import { createHash } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import type { Duplex } from 'node:stream'

/** Addresses of this machine that no visit may reach, over TCP and UDP on the same port. */
export async function startPrivateService() {
  let reached = 0
  const count = () => {
    reached += 1
  }
  const tcp = createServer((socket) => {
    count()
    socket.destroy()
  })
  // On all addresses of loopback; a port of websites where this process may open one.
  const port = (await listen(tcp, 80)) ?? (await listen(tcp, 0)) ?? 0
  const udp = createSocket('udp4').on('message', count)
  udp.bind(port, '127.0.0.2')
  await once(udp, 'listening')
  return {
    /** Each as host and port. */
    tcp: `127.0.0.2:${port}`,
    udp: `127.0.0.2:${port}`,
    isWebPort: port === 80,
    reached: () => reached,
    async stop() {
      udp.close()
      tcp.close()
      await once(tcp, 'close')
    },
  }
}

/** @returns null where it may not or the port is taken */
async function listen(server: ReturnType<typeof createServer>, port: number): Promise<number | null> {
  try {
    server.listen(port, '127.0.0.2')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  } catch {
    return null
  }
}

/** A WebSocket server that sends messages as fast as they are read. */
export async function startFlood() {
  const sockets = new Set<Duplex>()
  const server = createHttpServer()
  server.on('upgrade', (request, socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    // RFC 6455, section 1.3.
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash('sha1').update(key).digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    const frame = Buffer.concat([Buffer.from([0x81, 0x7d]), Buffer.alloc(0x7d, 'a')])
    const write = () => {
      while (!socket.destroyed && socket.write(frame));
    }
    socket.on('drain', write)
    write()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
