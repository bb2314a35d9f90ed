import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import { tableType } from '@kustos/contract/route'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

const [brotli, gz, zstd] = [promisify(brotliCompress), promisify(gzip), promisify(zstdCompress)]

const encodings = ['zstd', 'br', 'gzip', 'identity'] as const
type Encoding = (typeof encodings)[number]

const encode: Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>> = {
  // The default level, 3, takes a third longer and makes a list 1 % smaller.
  zstd: (body) => zstd(body, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  // Higher qualities take seconds for a body of 20 MB.
  br: (body) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body) => gz(body, { level: 6 }),
  identity: async (body) => body,
}

export interface BodySource {
  readonly contentType: string
  /** The current revision. Has to be cheap. */
  revision(): Promise<string>
  /** The body with its revision. */
  read(): Promise<{ revision: string; body: Buffer }>
}

/** A larger body is built for each group of requests, since keeping it would take most of the API's memory. */
const longestKept = 128 * 1024 ** 2

interface CachedBody {
  readonly revision: string
  encoded(encoding: Encoding): Promise<Buffer>
}

/**
 * Responds with a large JSON body from memory: one Buffer for each revision and encoding, built once and shared by all
 * waiting requests. The strong ETag is derived from the revision, so a 304 costs one small query.
 */
export function serveCachedBody({
  contentType,
  revision,
  read,
}: BodySource): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  let ready: CachedBody | null = null
  let reading: Promise<CachedBody> | null = null

  const refresh = () => {
    // Outdated, and its memory is needed for the next.
    ready = null
    const work = read().then(({ revision: shown, body }): CachedBody => {
      const made = { revision: shown, encoded: memoizeAsync((encoding: Encoding) => encode[encoding](body)) }
      if (body.length <= longestKept) ready = made
      return made
    })
    reading = work
    const forget = () => {
      if (reading === work) reading = null
    }
    work.then(forget, forget)
    return work
  }

  /** A read already in progress may predate this request, so its revision is checked. */
  async function upToDate(wanted: string): Promise<CachedBody> {
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
    reply.header('vary', 'Accept, Accept-Encoding').header('cache-control', 'private, no-cache')
    if (matchesEtag(request.headers['if-none-match'], tag(now, encoding))) {
      return reply.header('etag', tag(now, encoding)).code(304).send()
    }
    const fresh = await upToDate(now)
    const body = await fresh.encoded(encoding)
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.header('etag', tag(fresh.revision, encoding)).header('content-type', contentType).send(body)
  }
}

/** Whether the client prefers rows as arrays to rows as objects. */
export const prefersTable = (request: FastifyRequest): boolean =>
  new Negotiator(request.raw).mediaType(['application/json', tableType]) === tableType

const tag = (revision: string, encoding: Encoding) => `"${revision}-${encoding}"`

/** The best encoding that the client accepts, regardless of the order in its header. */
function encodingFor(request: FastifyRequest): Encoding {
  const accepted = new Negotiator(request.raw).encodings([...encodings])
  return encodings.find((encoding) => accepted.includes(encoding)) ?? 'identity'
}

function matchesEtag(header: string | undefined, etag: string): boolean {
  const wanted = header?.split(',').map((entry) => entry.trim().replace(/^W\//, ''))
  return wanted !== undefined && (wanted.includes(etag) || wanted.includes('*'))
}

function memoizeAsync<K, V>(make: (key: K) => Promise<V>): (key: K) => Promise<V> {
  const made = new Map<K, Promise<V>>()
  return (key) => {
    const known = made.get(key)
    if (known) return known
    const value = make(key)
    made.set(key, value)
    // Failures are not cached.
    value.catch(() => made.delete(key))
    return value
  }
}
