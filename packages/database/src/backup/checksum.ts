import { createHash } from 'node:crypto'
import { DamagedBackupError } from './errors.ts'

/** The length of a SHA-256. */
const checksumBytes = 32

/** Passes bytes on, followed by their SHA-256. */
export async function* appendChecksum(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of source) {
    hash.update(chunk)
    yield chunk
  }
  yield hash.digest()
}

/** Reads what `appendChecksum` wrote. */
export function createChecksumReader(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]()
  const hash = createHash('sha256')
  /** The last bytes so far, which may be the checksum. */
  let held: Buffer = Buffer.alloc(0)
  // `for await` would close the source when its reader leaves, but the rest has to be checked.
  const next = async (): Promise<Buffer | null> => {
    const { done, value } = await chunks.next()
    if (done) return null
    const all = Buffer.concat([held, value])
    const end = Math.max(0, all.length - checksumBytes)
    held = all.subarray(end)
    const passed = all.subarray(0, end)
    hash.update(passed)
    return passed
  }
  return {
    /** The bytes before the checksum. */
    async *bytes(): AsyncGenerator<Buffer> {
      for (let chunk = await next(); chunk !== null; chunk = await next()) if (chunk.length > 0) yield chunk
    },
    /** Reads the rest. @throws DamagedBackupError if the checksum differs */
    async check(): Promise<void> {
      while ((await next()) !== null);
      if (held.length !== checksumBytes || !hash.digest().equals(held))
        throw new DamagedBackupError('its checksum differs')
    },
  }
}
