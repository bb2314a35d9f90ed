import { type Cell, type Column, cellText, gib } from '@kustos/contract/grid'
import { sheetParts, styles } from './sheet-parts.ts'
import { type ZipPart, zip } from './zip.ts'

/** Excel's limit for the text of a cell. */
const longest = 32_767

/** About as many characters are made at once. */
const pieceLength = 65_536

/**
 * Rows as an .xlsx file with a styled header: numbers as numbers, times as text as staff read them, GiB for bytes, and
 * everything typed by people as text, so that nothing that begins with = + - @ is ever a formula.
 */
export function writeSheet<Row>(
  name: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): Promise<Uint8Array<ArrayBuffer>> {
  const range = `A1:${lettersOf(Math.max(1, columns.length))}${rows.length + 1}`
  const sheet: ZipPart = { name: 'xl/worksheets/sheet1.xml', text: sheetText(columns, rows, range) }
  return zip([...sheetParts(name, range), sheet])
}

function* sheetText<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  range: string,
): Generator<string> {
  const letters = columns.map((_, index) => lettersOf(index + 1))
  // A column's width is in digits of the standard font, 7 pixels each.
  const widths = columns.map(
    ({ width = 140 }, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${(width / 7).toFixed(2)}" customWidth="1"/>`,
  )
  const header = columns.map((column, index) =>
    textCell(
      `${letters[index]}1`,
      styles.header,
      column.kind === 'bytes' ? `${column.label} (GiB)` : column.label,
    ),
  )
  let piece =
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    `<dimension ref="${range}"/>${widths.length > 0 ? `<cols>${widths.join('')}</cols>` : ''}` +
    `<sheetData><row r="1">${header.join('')}</row>`
  for (const [index, row] of rows.entries()) {
    const number = index + 2
    piece += `<row r="${number}">`
    for (const [at, column] of columns.entries()) {
      piece += cellOf(`${letters[at]}${number}`, column, column.value(row))
    }
    piece += '</row>'
    if (piece.length > pieceLength) {
      yield piece
      piece = ''
    }
  }
  // Else Excel marks each order number as a number that was typed as text.
  const asMeant = `<ignoredErrors><ignoredError sqref="${range}" numberStoredAsText="1"/></ignoredErrors>`
  yield `${piece}</sheetData><autoFilter ref="${range}"/>${asMeant}</worksheet>`
}

function cellOf<Row>(place: string, column: Column<Row>, value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') {
    return column.kind === 'bytes'
      ? `<c r="${place}" s="${styles.bytes}"><v>${Math.round((value / gib) * 100) / 100}</v></c>`
      : `<c r="${place}"><v>${value}</v></c>`
  }
  const text = cellText(column, value)
  return text === '' ? '' : textCell(place, styles.text, text.slice(0, longest))
}

const textCell = (place: string, style: number, text: string) =>
  `<c r="${place}" s="${style}" t="inlineStr"><is><t${edged.test(text) ? ' xml:space="preserve"' : ''}>${escaped(text)}</t></is></c>`

/** Space at an end, or a break, which a reader may drop unless it is told not to. */
const edged = /^\s|\s$|[\n\t]/

/** What XML does not allow, or changes, and what Excel would take for its way of writing that: ECMA-376, 22.9.2.19. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const special = /[&<>\0-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[\da-fA-F]{4}_)/g

function escaped(text: string): string {
  return text.replace(special, (found) => {
    if (found === '&') return '&amp;'
    if (found === '<') return '&lt;'
    if (found === '>') return '&gt;'
    return `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
  })
}

/** A column's name: A for 1, AA for 27. */
function lettersOf(number: number): string {
  const before = Math.floor((number - 1) / 26)
  return (before > 0 ? lettersOf(before) : '') + String.fromCharCode(65 + ((number - 1) % 26))
}
