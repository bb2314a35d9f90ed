import type { Cell, Column, ColumnKind } from './columns.ts'
import { cellText, toComparable } from './format.ts'

/**
 * A column with each distinct cell stored once, because most columns repeat few values over many rows. Texts and ranks
 * are computed when they are first needed.
 */
export interface Dictionary {
  /** By row, the index in `cells`. */
  readonly codes: Int32Array
  readonly cells: readonly Cell[]
  /** By cell, as it is shown. */
  texts(): readonly string[]
  /** By cell, as `toComparable` returns them. */
  lowered(): readonly string[]
  /** By cell, its place in the sort order; -1 for those without a value. */
  ranks(): Int32Array
}

const separator = '\u0000'

export function createDictionary<Row>(rows: readonly Row[], column: Column<Row>): Dictionary {
  const codes = new Int32Array(rows.length)
  const cells: Cell[] = []
  const plain = new Map<Cell, number>()
  const lists = new Map<string, number>()
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index]
    if (row === undefined) continue
    const cell = column.value(row)
    const isList = typeof cell === 'object' && cell !== null
    const known = isList ? lists.get(cell.join(separator)) : plain.get(cell)
    if (known !== undefined) {
      codes[index] = known
      continue
    }
    const code = cells.push(cell) - 1
    codes[index] = code
    if (isList) lists.set(cell.join(separator), code)
    else plain.set(cell, code)
  }
  const texts = once(() => cells.map((cell) => cellText(column, cell)))
  const isOption = column.kind === 'select' || column.kind === 'status'
  return {
    codes,
    cells,
    texts,
    lowered: once(() => texts().map(toComparable)),
    ranks: once(() => ranksOf(isOption ? texts() : cells, column.kind)),
  }
}

function once<T>(derive: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= derive()
    return value
  }
}

function ranksOf(cells: readonly Cell[], kind: ColumnKind): Int32Array {
  const keys = cells.map((cell) => sortKey(cell, kind))
  const filled = keys.flatMap((key, code) => (key === null ? [] : { key, code }))
  filled.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  const ranks = new Int32Array(cells.length).fill(-1)
  let rank = -1
  let previous: string | number | null = null
  for (const { key, code } of filled) {
    if (key !== previous) rank += 1
    previous = key
    ranks[code] = rank
  }
  return ranks
}

function sortKey(cell: Cell, kind: ColumnKind): string | number | null {
  if (cell === null || cell === '' || Number.isNaN(cell)) return null
  if (typeof cell === 'number') return cell
  if (typeof cell === 'object') return cell.length === 0 ? null : fold(cell.join(', '))
  if (kind === 'date') {
    const time = Date.parse(cell)
    return Number.isNaN(time) ? null : time
  }
  return fold(cell)
}

const marks = /\p{M}/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is the range of ASCII.
const ascii = /^[\u0000-\u007f]*$/

/** A sort key: umlauts beside their letters, as in a German dictionary, and 9.5 before 10.4. */
function fold(text: string): string {
  const lower = text.toLowerCase()
  const plain = ascii.test(lower) ? lower : lower.normalize('NFD').replace(marks, '').replaceAll('ß', 'ss')
  return plain.replace(/\d+/g, byLength)
}

/** Prefixes digits by their number, so that text comparison sorts them as numbers. */
function byLength(digits: string): string {
  const number = digits.replace(/^0+(?=\d)/, '')
  return String.fromCharCode(0x2f + Math.min(number.length, 10)) + number
}
