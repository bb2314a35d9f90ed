import { type Cell, type Column, cellText, gib } from '@kustos/contract/grid'
import XLSX from 'sheetjs-style'

/** Excel's limit for the text of a cell. */
const longest = 32_767

/**
 * Rows as an .xlsx file with a styled header: numbers as numbers, times as text as staff read them, GiB for bytes, and
 * everything typed by people as text, so that nothing that begins with = + - @ is ever a formula.
 */
export function writeSheet<Row>(
  name: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): Uint8Array<ArrayBuffer> {
  const sheet: XLSX.WorkSheet = {}
  columns.forEach((column, x) => {
    sheet[XLSX.utils.encode_cell({ r: 0, c: x })] = {
      t: 's',
      v: column.kind === 'bytes' ? `${column.label} (GiB)` : column.label,
      s: { font: { bold: true }, fill: { fgColor: { rgb: 'E6F2F1' } } },
    }
    const letters = XLSX.utils.encode_col(x)
    rows.forEach((row, y) => {
      const cell = cellOf(column, column.value(row))
      if (cell) sheet[`${letters}${y + 2}`] = cell
    })
  })
  const end = { r: rows.length, c: Math.max(0, columns.length - 1) }
  sheet['!ref'] = XLSX.utils.encode_range({ s: { r: 0, c: 0 }, e: end })
  sheet['!cols'] = columns.map((column) => ({ wpx: column.width ?? 140 }))
  sheet['!autofilter'] = { ref: sheet['!ref'] }
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(book, sheet, name)
  const bytes: ArrayBuffer = XLSX.write(book, { type: 'array', bookType: 'xlsx', compression: true })
  return new Uint8Array(bytes)
}

function cellOf<Row>(column: Column<Row>, value: Cell): XLSX.CellObject | null {
  if (value === null) return null
  if (typeof value === 'number') {
    return column.kind === 'bytes'
      ? { t: 'n', v: Math.round((value / gib) * 100) / 100, z: '0.00' }
      : { t: 'n', v: value }
  }
  const text = cellText(column, value)
  // '@' keeps a cell text when somebody edits it.
  return text === '' ? null : { t: 's', v: text.slice(0, longest), z: '@' }
}
