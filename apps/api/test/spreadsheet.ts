import { inflateRawSync } from 'node:zlib'

/** Extracts a file of a ZIP archive. */
export function unzip(archive: Buffer, name: string): string {
  let at = archive.readUInt32LE(archive.lastIndexOf(Buffer.from('PK\x05\x06')) + 16)
  while (archive.readUInt32LE(at) === 0x02014b50) {
    const [packed, nameLength, extra, comment, start] = [
      archive.readUInt32LE(at + 20),
      archive.readUInt16LE(at + 28),
      archive.readUInt16LE(at + 30),
      archive.readUInt16LE(at + 32),
      archive.readUInt32LE(at + 42),
    ] as const
    if (archive.toString('utf8', at + 46, at + 46 + nameLength) === name) {
      const data = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28)
      return inflateRawSync(archive.subarray(data, data + packed)).toString()
    }
    at += 46 + nameLength + extra + comment
  }
  throw new Error(`${name} is not in the archive`)
}

/** Decodes the entities of XML text. */
export const unescapeXml = (xml: string): string =>
  xml.replace(
    /&(lt|gt|quot|apos|amp);/g,
    (_, name: string) => ({ lt: '<', gt: '>', quot: '"', apos: "'" })[name] ?? '&',
  )
