import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { AUTHORITATIVE_ANSWER, decode, encode, type Packet, RECURSION_AVAILABLE } from 'dns-packet'
import { closing, listen, loopback } from '../listening.ts'
import { codeOf } from '../refusal.ts'
import type { Reply, Zone } from './names.ts'

export { registeredDomains } from './domains.ts'
export { configured, elsewhere, everythingHere, withoutNames } from './names.ts'

export interface SandboxDns {
  /** For DNS_SERVERS. */
  readonly server: string
  stop(): Promise<void>
}

/**
 * Starts a name server on loopback, over UDP and TCP on the same port.
 * @param zones asked in their order; the first that answers counts
 */
export async function startDns(zones: readonly Zone[]): Promise<SandboxDns> {
  const { udp, tcp, port } = await bindBoth()
  udp.on('message', (message, { port: to, address }) => {
    const reply = replyTo(message, zones)
    if (reply !== null) udp.send(reply, to, address)
  })
  // Whoever asked may be gone; another one asks again.
  udp.on('error', () => undefined)
  tcp.on('connection', (socket) => serveTcp(socket, zones))
  const closeTcp = closing(tcp)
  return {
    server: `${loopback}:${port}`,
    async stop() {
      const closed = once(udp, 'close')
      udp.close()
      await Promise.all([closed, closeTcp()])
    },
  }
}

/** A port that is free for UDP may be taken for TCP. */
async function bindBoth(): Promise<{ udp: UdpSocket; tcp: Server; port: number }> {
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
      if (codeOf(error) !== 'EADDRINUSE' || attempt === 20) throw error
    }
  }
}

/** Each message comes with its length before it (RFC 1035, 4.2.2). */
function serveTcp(socket: Socket, zones: readonly Zone[]): void {
  let waiting = Buffer.alloc(0)
  socket.on('error', () => undefined)
  socket.setTimeout(10_000, () => socket.destroy())
  socket.on('data', (more) => {
    waiting = Buffer.concat([waiting, more])
    while (waiting.length >= 2 && waiting.length >= 2 + waiting.readUInt16BE()) {
      const end = 2 + waiting.readUInt16BE()
      const reply = replyTo(waiting.subarray(2, end), zones)
      waiting = waiting.subarray(end)
      if (reply === null) return void socket.destroy()
      const length = Buffer.alloc(2)
      length.writeUInt16BE(reply.length)
      socket.write(Buffer.concat([length, reply]))
    }
  })
}

/** RFC 1035, 4.1.1: the codes of what went wrong. */
const [formatError, nameError, refusal] = [1, 3, 5]
const recursionDesired = 0x0100

/** @returns null for what is no question at all, and for what nobody answers */
function replyTo(message: Buffer, zones: readonly Zone[]): Buffer | null {
  let asked: Packet
  try {
    asked = decode(message)
  } catch {
    return null
  }
  if (asked.type !== 'query') return null
  const [question, ...more] = asked.questions ?? []
  const reply = question === undefined || more.length > 0 ? null : ask(question, zones)
  if (reply?.silent) return null
  const rcode = reply === null ? formatError : reply.unknown ? nameError : reply.refused ? refusal : 0
  return encode({
    id: asked.id ?? 0,
    type: 'response',
    flags: AUTHORITATIVE_ANSWER | RECURSION_AVAILABLE | ((asked.flags ?? 0) & recursionDesired) | rcode,
    questions: asked.questions ?? [],
    answers: [...(reply?.answers ?? [])],
  })
}

function ask(question: NonNullable<Packet['questions']>[number], zones: readonly Zone[]): Reply | null {
  for (const zone of zones) {
    const reply = zone(question)
    if (reply !== null) return reply
  }
  return { unknown: true, answers: [] }
}
