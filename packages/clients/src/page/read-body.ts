import type { Readable, Transform } from 'node:stream'
import zlib from 'node:zlib'
import { FetchError } from '../connect/fetch-error.ts'

export interface Body {
  readonly bytes: Buffer
  /** Whether the body was larger than the limit. */
  readonly cut: boolean
}

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = zlib.constants

/** An incomplete body counts as far as it came, as in browsers. */
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip({ finishFlush: Z_SYNC_FLUSH }),
  'x-gzip': () => zlib.createGunzip({ finishFlush: Z_SYNC_FLUSH }),
  deflate: () => zlib.createInflate({ finishFlush: Z_SYNC_FLUSH }),
  br: () => zlib.createBrotliDecompress({ finishFlush: BROTLI_OPERATION_FLUSH }),
  zstd: () => zlib.createZstdDecompress({ finishFlush: ZSTD_e_flush }),
}

export const acceptedEncodings = 'gzip, deflate, br, zstd'

/**
 * Reads a decoded body up to a limit; the rest is neither decoded nor waited for.
 * @param encoding the Content-Encoding header
 * @throws errors of the connection or the decoder, and FetchError for an unsupported encoding
 */
export async function readBody(stream: Readable, encoding: string, maxBytes: number): Promise<Body> {
  const decoded = decodeStream(stream, encoding)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of decoded) {
      const bytes = Buffer.from(chunk)
      chunks.push(bytes)
      size += bytes.length
      if (size > maxBytes) break
    }
  } finally {
    stream.destroy()
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), cut: size > maxBytes }
}

function decodeStream(stream: Readable, encoding: string): Readable {
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (codings.length > 2) throw new FetchError({ code: 'encoded_too_often' })
  let last = stream
  // The last coding was applied last.
  for (const coding of codings.reverse()) {
    const decoder = decoders[coding]?.()
    if (decoder === undefined)
      throw new FetchError({ code: 'encoding_unknown', params: { encoding: coding.slice(0, 20) } })
    const source = last
    source.on('error', (error) => decoder.destroy(error))
    decoder.on('close', () => source.destroy())
    last = source.pipe(decoder)
  }
  return last
}
