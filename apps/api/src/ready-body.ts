import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

const [brotli, gz, zstd] = [promisify(brotliCompress), promisify(gzip), promisify(zstdCompress)]

const encodings = ['zstd', 'br', 'gzip', 'identity'] as const
type Encoding = (typeof encodings)[number]

const encode: Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>> = {
  zstd: (body) => zstd(body),
  // Quality 4: beyond it a body of 20 MB takes seconds.
  br: (body) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body) => gz(body, { level: 6 }),
  identity: async (body) => body,
}

export interface Source {
  /** What the body's revision is now; cheap. */
  revision(): Promise<string>
  /** The body, and the revision that it shows. */
  read(): Promise<{ revision: string; body: Buffer }>
}

interface Ready {
  readonly revision: string
  encoded(encoding: Encoding): Promise<Buffer>
}

/**
 * Answers with a large JSON body kept ready in memory: one Buffer for each revision and encoding, made by whoever asks
 * first and shared by all who wait. Its ETag is strong and comes from the revision, so that 304 costs one small query.
 */
export function readyBody({
  revision,
  read,
}: Source): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  let ready: Ready | null = null
  let reading: Promise<Ready> | null = null

  const refresh = () => {
    const work = read().then(({ revision: shown, body }) => {
      ready = { revision: shown, encoded: onceEach((encoding) => encode[encoding](body)) }
      return ready
    })
    reading = work
    const forget = () => {
      if (reading === work) reading = null
    }
    work.then(forget, forget)
    return work
  }

  /** At least as new as the request: one that is being read already may lack what was written since, so it is checked. */
  async function upToDate(wanted: string): Promise<Ready> {
    if (ready?.revision === wanted) return ready
    if (reading) {
      const joined = await reading
      if (joined.revision === wanted) return joined
    }
    return reading ?? refresh()
  }

  return async (request, reply) => {
    const now = await revision()
    const encoding = encodingFor(request)
    reply.header('vary', 'Accept-Encoding').header('cache-control', 'private, no-cache')
    if (names(request.headers['if-none-match'], tag(now, encoding))) {
      return reply.header('etag', tag(now, encoding)).code(304).send()
    }
    const fresh = await upToDate(now)
    const body = await fresh.encoded(encoding)
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply
      .header('etag', tag(fresh.revision, encoding))
      .header('content-type', 'application/json; charset=utf-8')
      .send(body)
  }
}

const tag = (revision: string, encoding: Encoding) => `"${revision}-${encoding}"`

/** The best that the client takes, by what it costs us rather than by the order in its header. */
function encodingFor(request: FastifyRequest): Encoding {
  const accepted = new Negotiator(request.raw).encodings([...encodings])
  return encodings.find((encoding) => accepted.includes(encoding)) ?? 'identity'
}

function names(header: string | undefined, etag: string): boolean {
  const wanted = header?.split(',').map((entry) => entry.trim().replace(/^W\//, ''))
  return wanted !== undefined && (wanted.includes(etag) || wanted.includes('*'))
}

function onceEach<K, V>(make: (key: K) => Promise<V>): (key: K) => Promise<V> {
  const made = new Map<K, Promise<V>>()
  return (key) => {
    const known = made.get(key)
    if (known) return known
    const value = make(key)
    made.set(key, value)
    // What failed is tried again by the next who asks.
    value.catch(() => made.delete(key))
    return value
  }
}
