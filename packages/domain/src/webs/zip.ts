import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

/** A file of an archive: its name in ASCII, and its text piece by piece. */
export interface ZipPart {
  readonly name: string
  readonly text: Iterable<string>
}

interface Packed {
  readonly name: Buffer
  readonly crc: number
  readonly size: number
  readonly packed: Buffer
}

/** Deflated, by https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.4.5. */
const deflated = 8
/** Version 2.0 of the format knows deflated files. */
const version = 20
/** The first of January 1980, where the format's calendar begins: equal parts make equal archives. */
const date = 0x21

/**
 * Packs text into a zip archive. Pieces are asked for while the ones before are deflated in another thread, and are never
 * held together.
 * @throws RangeError for 4 GiB or more
 */
export async function zip(parts: Iterable<ZipPart>): Promise<Uint8Array<ArrayBuffer>> {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  let count = 0
  for (const part of parts) {
    const entry = await pack(part)
    const facts = factsOf(entry)
    const file = [Buffer.from('PK\x03\x04'), facts, entry.name, entry.packed]
    directory.push(...inDirectory(entry, facts, offset))
    files.push(...file)
    offset += sizeOf(file)
    count++
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(sizeOf(directory), 12)
  end.writeUInt32LE(offset, 16)
  const pieces = [...files, ...directory, end]
  const archive = new Uint8Array(sizeOf(pieces))
  let at = 0
  for (const piece of pieces) {
    archive.set(piece, at)
    at += piece.length
  }
  return archive
}

const sizeOf = (pieces: readonly Buffer[]) => pieces.reduce((sum, { length }) => sum + length, 0)

async function pack({ name, text }: ZipPart): Promise<Packed> {
  let crc = 0
  let size = 0
  const packed: Buffer[] = []
  await pipeline(
    function* () {
      for (const piece of text) {
        const bytes = Buffer.from(piece)
        crc = crc32(bytes, crc)
        size += bytes.length
        yield bytes
      }
    },
    createDeflateRaw({ chunkSize: 65_536 }),
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) packed.push(chunk)
    },
  )
  return { name: Buffer.from(name), crc, size, packed: Buffer.concat(packed) }
}

/** What stands of a file both before it and in the directory at the end. */
function factsOf({ name, crc, size, packed }: Packed): Buffer {
  const facts = Buffer.alloc(26)
  facts.writeUInt16LE(version, 0)
  facts.writeUInt16LE(deflated, 4)
  facts.writeUInt16LE(date, 8)
  facts.writeUInt32LE(crc, 10)
  facts.writeUInt32LE(packed.length, 14)
  facts.writeUInt32LE(size, 18)
  facts.writeUInt16LE(name.length, 22)
  return facts
}

function inDirectory({ name }: Packed, facts: Buffer, offset: number): Buffer[] {
  const madeBy = Buffer.alloc(2)
  madeBy.writeUInt16LE(version)
  const place = Buffer.alloc(14)
  place.writeUInt32LE(offset, 10)
  return [Buffer.from('PK\x01\x02'), madeBy, facts, place, name]
}
