import { createHash } from 'node:crypto'
import { Damaged } from './damage.ts'

/** Bytes of a SHA-256. */
const sealLength = 32

/** Passes a file's bytes on, and their SHA-256 behind them. */
export async function* sealed(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of source) {
    hash.update(chunk)
    yield chunk
  }
  yield hash.digest()
}

/** A file that `sealed` made, as it is read. */
export interface Unsealing {
  /** The bytes in front of the seal. */
  bytes(): AsyncGenerator<Buffer>
  /** Reads what has not been read yet. @throws Damaged where the seal is not that of the bytes */
  check(): Promise<void>
}

export function unsealing(source: AsyncIterable<Buffer>): Unsealing {
  const chunks = source[Symbol.asyncIterator]()
  const hash = createHash('sha256')
  /** What may be the seal. */
  let held: Buffer = Buffer.alloc(0)
  // Not `for await`, which would close the source when its reader leaves: the rest has still to be checked.
  const next = async (): Promise<Buffer | null> => {
    const { done, value } = await chunks.next()
    if (done) return null
    const all = Buffer.concat([held, value])
    const end = Math.max(0, all.length - sealLength)
    held = all.subarray(end)
    const passed = all.subarray(0, end)
    hash.update(passed)
    return passed
  }
  return {
    async *bytes() {
      for (let chunk = await next(); chunk !== null; chunk = await next()) if (chunk.length > 0) yield chunk
    },
    async check() {
      while ((await next()) !== null);
      if (held.length !== sealLength || !hash.digest().equals(held)) throw new Damaged('its checksum differs')
    },
  }
}
