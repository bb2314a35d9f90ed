import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { Damaged } from './damage.ts'
import { type Header, readHeader } from './header.ts'
import { type BackupRecord, readRecords } from './records.ts'
import { unsealing } from './seal.ts'

/** A first line is some 10 KiB. */
const longestHeader = 1 << 20

/** A backup as it is read. */
export interface Contents {
  readonly header: Header
  readonly records: AsyncGenerator<BackupRecord>
  /** Reads to the end of the file. @throws Damaged where it is not as it was written */
  check(): Promise<void>
}

/**
 * Opens a backup.
 * @throws BackupRefusal where it is none, or is made for a newer program
 */
export async function readContents(source: AsyncIterable<Buffer>): Promise<Contents> {
  const { bytes, check } = unsealing(source)
  const body = bytes()
  let start: Buffer = Buffer.alloc(0)
  let end = -1
  while (end < 0 && start.length < longestHeader) {
    const { done, value } = await body.next()
    if (done) break
    start = Buffer.concat([start, value])
    end = start.indexOf('\n')
  }
  const header = readHeader(start.subarray(0, Math.max(end, 0)).toString())
  return { header, records: readRecords(unpacked(start.subarray(end + 1), body)), check }
}

async function* unpacked(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const zstd = createZstdDecompress()
  const fed = pipeline(async function* () {
    yield first
    yield* rest
  }, zstd)
  // What goes wrong in it is told by the stream that it feeds.
  fed.catch(() => undefined)
  try {
    yield* zstd
  } catch (error) {
    const isZstd =
      error instanceof Error && 'code' in error && /^(ZSTD|ERR_BUFFER|Z_)/i.test(String(error.code))
    throw isZstd ? new Damaged('it cannot be decompressed') : error
  }
}
