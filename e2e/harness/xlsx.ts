import { readFile } from 'node:fs/promises'
import { inflateRawSync } from 'node:zlib'

export interface Workbook {
  /** The archive's files by name. */
  readonly parts: ReadonlyMap<string, string>
  /** The rows of the first sheet; a missing cell is an empty string. */
  readonly rows: readonly (readonly string[])[]
  /** Whether any cell contains a formula. */
  readonly hasFormula: boolean
}

/** Reads the texts and formulas of an .xlsx file as a spreadsheet program would. */
export async function readWorkbook(path: string): Promise<Workbook> {
  const parts = unzip(await readFile(path))
  const sheet = parts.get('xl/worksheets/sheet1.xml')
  if (sheet === undefined) throw new Error(`${path} has no sheet: ${[...parts.keys()].join(', ')}`)
  const strings = elements(parts.get('xl/sharedStrings.xml') ?? '', 'si').map(({ body }) => textIn(body))
  const rows = elements(sheet, 'row').map(({ body }) => {
    const cells: string[] = []
    for (const cell of elements(body, 'c')) {
      const value = elements(cell.body, 'v')[0]?.body ?? ''
      cells[columnOf(cell.attributes)] = /\bt="s"/.test(cell.attributes)
        ? (strings[Number(value)] ?? '')
        : /\bt="inlineStr"/.test(cell.attributes)
          ? textIn(cell.body)
          : decode(value)
    }
    return Array.from(cells, (cell) => cell ?? '')
  })
  return { parts, rows, hasFormula: elements(sheet, 'f').length > 0 }
}

/** Reads the archive through the central directory at its end. */
function unzip(archive: Buffer): Map<string, string> {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0) throw new Error('This is no zip archive.')
  const parts = new Map<string, string>()
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const method = archive.readUInt16LE(at + 10)
    const size = archive.readUInt32LE(at + 20)
    const [name, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset))
    const local = archive.readUInt32LE(at + 42)
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const packed = archive.subarray(start, start + size)
    const path = archive.toString('utf8', at + 46, at + 46 + (name ?? 0))
    parts.set(path, (method === 0 ? packed : inflateRawSync(packed)).toString('utf8'))
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return parts
}

interface Element {
  readonly attributes: string
  readonly body: string
}

const elements = (xml: string, name: string): Element[] =>
  [...xml.matchAll(new RegExp(`<${name}(\\s[^>]*?)?(?:/>|>(.*?)</${name}>)`, 'gs'))].map(
    ([, attributes = '', body = '']) => ({ attributes, body }),
  )

const textIn = (xml: string): string =>
  elements(xml, 't')
    .map(({ body }) => decode(body))
    .join('')

/** The column of a cell's address: A is 0, AA is 26. */
function columnOf(attributes: string): number {
  const letters = /\br="([A-Z]+)\d+"/.exec(attributes)?.[1] ?? 'A'
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decode = (text: string): string =>
  text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) =>
    name ? (entities[name] ?? whole) : String.fromCodePoint(Number.parseInt(hex ?? decimal, hex ? 16 : 10)),
  )
