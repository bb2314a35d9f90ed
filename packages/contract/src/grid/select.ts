import type { Cell, Column, ColumnKind } from './columns.ts'
import { type ColumnFilter, compileCondition, compileRegex } from './conditions.ts'
import { cellText } from './format.ts'

export interface Sort {
  readonly column: string
  readonly descending: boolean
}

/** What a grid is asked to show, apart from its page. */
export interface Selection {
  readonly search: string
  /** Whether the search is a regular expression. */
  readonly regex: boolean
  readonly filters: readonly ColumnFilter[]
  readonly sort: readonly Sort[]
}

export const nothingSelected: Selection = { search: '', regex: false, filters: [], sort: [] }

/** Sorts and filters rows that stay the same between calls; what it derives of a row it derives once. */
export interface Selector<Row> {
  /** @param visible the columns that the search looks through */
  select(selection: Selection, visible: readonly Column<Row>[]): readonly Row[]
}

type Test = (index: number) => boolean

/** A number per row that orders a column; rows without a value come last either way, as ranks of -1. */
function ranksOf(cells: readonly Cell[], kind: ColumnKind): Int32Array {
  const ranks = new Int32Array(cells.length).fill(-1)
  const filled: number[] = []
  const keys = cells.map((cell, index) => {
    const key = sortKey(cell, kind)
    if (key !== null) filled.push(index)
    return key ?? ''
  })
  const at = (index: number) => keys[index] ?? ''
  filled.sort((a, b) => (at(a) < at(b) ? -1 : at(a) > at(b) ? 1 : 0))
  let rank = -1
  let previous: string | number | undefined
  for (const index of filled) {
    if (at(index) !== previous) rank += 1
    previous = at(index)
    ranks[index] = rank
  }
  return ranks
}

function sortKey(cell: Cell, kind: ColumnKind): string | number | null {
  if (cell === null || cell === '') return null
  if (typeof cell === 'number') return cell
  if (typeof cell === 'object') return cell.length === 0 ? null : fold(cell.join(', '))
  if (kind === 'date') return Date.parse(cell)
  return fold(cell)
}

/** Umlauts sort beside their letters, as in a German dictionary. */
const fold = (text: string) => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')

/** Keeps what is derived per column: cells, shown texts and ranks. */
export function selectorOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Selector<Row> {
  const byKey = new Map(columns.map((column) => [column.key, column]))
  const cells = perColumn((column: Column<Row>) => rows.map(column.value))
  const lowered = perColumn((column: Column<Row>) =>
    cells(column).map((cell) => cellText(column, cell).toLowerCase()),
  )
  const shown = perColumn((column: Column<Row>) => cells(column).map((cell) => cellText(column, cell)))
  const ranks = perColumn((column: Column<Row>) =>
    ranksOf(
      column.kind === 'select' || column.kind === 'status' ? shown(column) : cells(column),
      column.kind,
    ),
  )

  function searchTest({ search, regex }: Selection, visible: readonly Column<Row>[]): Test | null {
    if (search.trim() === '') return null
    if (regex) {
      const pattern = compileRegex(search)
      const texts = visible.map(shown)
      return pattern && ((index) => texts.some((column) => pattern.test(column[index] ?? '')))
    }
    const needle = search.trim().toLowerCase()
    const texts = visible.map(lowered)
    return (index) => texts.some((column) => column[index]?.includes(needle))
  }

  function filterTest({ column: key, join, conditions }: ColumnFilter): Test | null {
    const column = byKey.get(key)
    if (!column) return null
    const tests = conditions
      .map((condition) => compileCondition(column, condition))
      .filter((test) => test !== null)
    if (tests.length === 0) return null
    const values = cells(column)
    const holds = (index: number) => (test: (cell: Cell) => boolean) => test(values[index] ?? null)
    return join === 'all' ? (index) => tests.every(holds(index)) : (index) => tests.some(holds(index))
  }

  return {
    select(selection, visible) {
      const tests = [...selection.filters.map(filterTest), searchTest(selection, visible)].filter(
        (test) => test !== null,
      )
      const indices: number[] = []
      for (let index = 0; index < rows.length; index++) {
        if (tests.every((test) => test(index))) indices.push(index)
      }
      const orders = selection.sort.flatMap(({ column: key, descending }) => {
        const column = byKey.get(key)
        return column ? [{ ranks: ranks(column), sign: descending ? -1 : 1 }] : []
      })
      if (orders.length > 0) indices.sort((a, b) => compare(orders, a, b))
      return indices.flatMap((index) => rows[index] ?? [])
    },
  }
}

function compare(orders: readonly { ranks: Int32Array; sign: number }[], a: number, b: number): number {
  for (const { ranks, sign } of orders) {
    const left = ranks[a] ?? -1
    const right = ranks[b] ?? -1
    if (left === right) continue
    if (left === -1) return 1
    if (right === -1) return -1
    return (left - right) * sign
  }
  return a - b
}

function perColumn<Row, T>(derive: (column: Column<Row>) => T): (column: Column<Row>) => T {
  const known = new Map<string, T>()
  return (column) => {
    const value = known.get(column.key) ?? derive(column)
    known.set(column.key, value)
    return value
  }
}
