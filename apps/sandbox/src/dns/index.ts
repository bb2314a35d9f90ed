import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { AUTHORITATIVE_ANSWER, decode, encode, type Packet, RECURSION_AVAILABLE } from 'dns-packet'
import { listen, loopback, trackConnections } from '../listen.ts'
import { errorCode } from '../start-error.ts'
import { noSuchName, type Zone } from './zones.ts'

export { registeredDomains } from './domain-zone.ts'
export { configured, elsewhere, everythingHere, withoutNames } from './zones.ts'

export interface SandboxDns {
  readonly server: string
  stop(): Promise<void>
}

/**
 * Starts a name server over UDP and TCP on the same port.
 * @param zones the first one that answers counts
 */
export async function startDns(zones: readonly Zone[]): Promise<SandboxDns> {
  const { udp, tcp, port } = await bindUdpAndTcp()
  udp.on('message', (message, { port: senderPort, address }) => {
    const reply = answer(message, zones)
    if (reply !== null) udp.send(reply, senderPort, address)
  })
  // A client may be gone when its reply is sent.
  udp.on('error', () => undefined)
  tcp.on('connection', (socket) => serveTcp(socket, zones))
  const closeTcp = trackConnections(tcp)
  return {
    server: `${loopback}:${port}`,
    async stop() {
      const closed = once(udp, 'close')
      udp.close()
      await Promise.all([closed, closeTcp()])
    },
  }
}

/** Tries again if a port is free for UDP but taken for TCP. */
async function bindUdpAndTcp(): Promise<{ udp: UdpSocket; tcp: Server; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const udp = createSocket('udp4')
    udp.bind(0, loopback)
    await once(udp, 'listening')
    const { port } = udp.address()
    const tcp = createServer()
    try {
      await listen(tcp, port)
      return { udp, tcp, port }
    } catch (error) {
      udp.close()
      if (errorCode(error) !== 'EADDRINUSE' || attempt === 20) throw error
    }
  }
}

/** Each message is preceded by its length (RFC 1035, 4.2.2). */
function serveTcp(socket: Socket, zones: readonly Zone[]): void {
  let received = Buffer.alloc(0)
  socket.on('error', () => undefined)
  socket.setTimeout(10_000, () => socket.destroy())
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE()) {
      const end = 2 + received.readUInt16BE()
      const reply = answer(received.subarray(2, end), zones)
      received = received.subarray(end)
      if (reply === null) return void socket.destroy()
      const length = Buffer.alloc(2)
      length.writeUInt16BE(reply.length)
      socket.write(Buffer.concat([length, reply]))
    }
  })
}

/** RFC 1035, 4.1.1. */
const responseCodes = { none: 0, 'format error': 1, 'no such name': 3, refused: 5 } as const
const recursionDesired = 0x0100

/** @returns null for anything but a query, and for queries that get no reply */
function answer(message: Buffer, zones: readonly Zone[]): Buffer | null {
  let query: Packet
  try {
    query = decode(message)
  } catch {
    return null
  }
  if (query.type !== 'query') return null
  const { id = 0, questions = [], flags = 0 } = query
  const [question, ...more] = questions
  const isValid = question !== undefined && more.length === 0
  const reply = isValid ? findReply(question, zones) : { failure: 'format error' as const, answers: [] }
  if (reply.failure === 'no reply') return null
  return encode({
    id,
    type: 'response',
    flags:
      AUTHORITATIVE_ANSWER |
      RECURSION_AVAILABLE |
      (flags & recursionDesired) |
      responseCodes[reply.failure ?? 'none'],
    questions,
    answers: [...reply.answers],
  })
}

function findReply(question: Parameters<Zone>[0], zones: readonly Zone[]) {
  for (const zone of zones) {
    const reply = zone(question)
    if (reply !== null) return reply
  }
  return noSuchName
}
