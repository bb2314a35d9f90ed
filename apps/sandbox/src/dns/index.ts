import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { AUTHORITATIVE_ANSWER, decode, encode, type Packet, RECURSION_AVAILABLE } from 'dns-packet'
import { loopback } from '../listen.ts'
import { noSuchName, type Zone } from './zones.ts'

export { registeredDomains } from './domain-zone.ts'
export { mailZone } from './mail-zone.ts'
export { type ScriptedRecords, scripted, scriptedTypes } from './scripted-zone.ts'
export { configured, rejectNames, resolveTo, resolveToForeignAddress, withDeadIpv6 } from './zones.ts'

export type SandboxDns = Awaited<ReturnType<typeof startDns>>

/**
 * Starts a name server over UDP, since no answer is long enough for TCP.
 * @param zones the first one that answers counts
 */
export async function startDns(zones: readonly Zone[], address = loopback) {
  const socket = createSocket('udp4')
  socket.bind(0, address)
  await once(socket, 'listening')
  socket.on('message', (message, sender) => {
    const reply = createReply(message, zones)
    if (reply !== null) socket.send(reply, sender.port, sender.address)
  })
  // A client may be gone when its reply is sent.
  socket.on('error', () => undefined)
  return {
    server: `${address}:${socket.address().port}`,
    stop: async () => {
      await socket[Symbol.asyncDispose]()
    },
  }
}

/** RFC 1035, 4.1.1. */
const responseCodes = { none: 0, 'format error': 1, 'no such name': 3, refused: 5 } as const
const recursionDesired = 0x0100

/** @returns null for anything but a query, and for queries that get no reply */
function createReply(message: Buffer, zones: readonly Zone[]): Buffer | null {
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
