import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { createChecksumReader } from './checksum.ts'
import { DamagedBackupError } from './errors.ts'
import { readHeader } from './header.ts'
import { readRecords } from './records.ts'

/** A header is about 10 KiB. */
const maxHeaderBytes = 1 << 20

export type Contents = Awaited<ReturnType<typeof readContents>>

/**
 * Opens a backup. `check` reads to the end of the file and throws DamagedBackupError if the checksum differs.
 * @throws BackupError if the file is not a backup, or is for a newer program
 */
export async function readContents(source: AsyncIterable<Buffer>) {
  const { bytes, check } = createChecksumReader(source)
  const body = bytes()
  let start: Buffer = Buffer.alloc(0)
  let end = -1
  while (end < 0 && start.length < maxHeaderBytes) {
    const { done, value } = await body.next()
    if (done) break
    start = Buffer.concat([start, value])
    end = start.indexOf('\n')
  }
  const header = readHeader(start.subarray(0, Math.max(end, 0)).toString())
  return { header, records: readRecords(decompress(start.subarray(end + 1), body)), check }
}

async function* decompress(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const zstd = createZstdDecompress()
  const fed = pipeline(prepend(first, rest), zstd)
  // Its errors are also thrown by the stream below.
  fed.catch(() => undefined)
  try {
    yield* zstd
  } catch (error) {
    const isZstd =
      error instanceof Error && 'code' in error && /^(ZSTD|ERR_BUFFER|Z_)/i.test(String(error.code))
    throw isZstd ? new DamagedBackupError('it cannot be decompressed') : error
  }
}

export async function* prepend(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}
