import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type Answer, decode, encode, type RecordType } from 'dns-packet'

/** The records of each name, or how the server fails for it; `timeout` sends no response. */
export type Zone = Readonly<
  Record<
    string,
    | 'SERVFAIL'
    | 'REFUSED'
    | 'timeout'
    | {
        readonly A?: readonly string[]
        readonly AAAA?: readonly string[]
        readonly CNAME?: string
        /** Such as `10 mail.test`; a null MX is `0 .`. */
        readonly MX?: readonly string[]
        readonly NS?: readonly string[]
        readonly TXT?: readonly string[]
        /** The primary name server. */
        readonly SOA?: string
        /** Record types that get no response. */
        readonly silent?: readonly string[]
        /** Record types that are answered with SERVFAIL. */
        readonly broken?: readonly string[]
        readonly ttl?: number
      }
  >
>

const soa = { rname: 'hostmaster.test', serial: 1, refresh: 60, retry: 60, expire: 60, minimum: 60 }

const codes = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 }

/** A name server over real UDP. Names that are not in its zone do not exist. */
export async function startDnsServer(zone: Zone) {
  const state = {
    zone,
    /** Such as `A web.test`, in the order of arrival. */
    queries: [] as string[],
  }
  const socket = createSocket('udp4')
  socket.on('message', (message, { port, address }) => {
    const { id, questions = [] } = decode(message)
    const [question] = questions
    if (!question) return
    const { type, name } = question
    state.queries.push(`${type} ${name}`)
    const found = state.zone[name.toLowerCase()] ?? 'NXDOMAIN'
    if (found === 'timeout') return
    if (typeof found === 'object' && found.silent?.includes(type)) return
    const answers = typeof found === 'object' ? getAddresses(found, type) : []
    const zone =
      typeof found === 'object' && type === 'SOA' && found.SOA !== undefined
        ? [{ type: 'SOA' as const, name, ttl: 60, data: { ...soa, mname: found.SOA } }]
        : []
    const isBroken = typeof found === 'object' && found.broken?.includes(type) === true
    const flags = typeof found !== 'object' ? codes[found] : isBroken ? codes.SERVFAIL : 0
    const reply = encode({
      type: 'response',
      id: id ?? 0,
      flags: 0x8180 | flags,
      questions,
      answers: [
        ...zone,
        ...answers.map((data) => ({
          type: type === 'AAAA' ? ('AAAA' as const) : ('A' as const),
          name,
          data,
          ttl: typeof found === 'object' ? (found.ttl ?? 60) : 0,
        })),
        ...(typeof found === 'object' ? getOthers(found, type, name) : []),
      ],
    })
    socket.send(reply, port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    state,
    server: `127.0.0.1:${socket.address().port}`,
    async stop() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function getAddresses(found: { A?: readonly string[]; AAAA?: readonly string[] }, type: RecordType) {
  return (type === 'A' ? found.A : type === 'AAAA' ? found.AAAA : []) ?? []
}

function getOthers(
  found: Pick<Extract<Zone[string], object>, 'CNAME' | 'MX' | 'NS' | 'TXT'>,
  type: RecordType,
  name: string,
): Answer[] {
  const record = { name, ttl: 60 }
  if (type === 'CNAME') return found.CNAME === undefined ? [] : [{ ...record, type, data: found.CNAME }]
  if (type === 'NS') return (found.NS ?? []).map((data) => ({ ...record, type, data }))
  // Longer texts are sent in parts.
  if (type === 'TXT')
    return (found.TXT ?? []).map((text) => ({ ...record, type, data: text.match(/.{1,255}/gs) ?? [] }))
  if (type !== 'MX') return []
  return (found.MX ?? []).map((text) => {
    const [preference, exchange = ''] = text.split(' ')
    return { ...record, type, data: { preference: Number(preference), exchange } }
  })
}
