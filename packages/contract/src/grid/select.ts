import type { Column } from './columns.ts'
import { type ColumnFilter, compileCondition, compileRegex } from './conditions.ts'
import { type Dictionary, dictionaryOf } from './dictionary.ts'

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
  /** The distinct values that occur in a column, single tags for tags, in the order of the rows. */
  values(column: string): readonly string[]
}

/** Places in the list of rows. */
type Places = Int32Array<ArrayBuffer>
/** Whether a value passes, for each of a column's distinct values. */
type Hits = Uint8Array

export function selectorOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Selector<Row> {
  const byKey = new Map(columns.map((column) => [column.key, column]))
  const dictionaries = new Map<string, Dictionary>()

  function dictionary(key: string): Dictionary | undefined {
    const column = byKey.get(key)
    const known = dictionaries.get(key)
    if (known || !column) return known
    const made = dictionaryOf(rows, column)
    dictionaries.set(key, made)
    return made
  }

  function filtered(indices: Places, { column: key, join, conditions }: ColumnFilter): Places {
    const column = byKey.get(key)
    const tests = column
      ? conditions.map((condition) => compileCondition(column, condition)).filter((test) => test !== null)
      : []
    const values = dictionary(key)
    if (tests.length === 0 || !values) return indices
    const hits = Uint8Array.from(values.cells, (cell) =>
      Number(join === 'all' ? tests.every((test) => test(cell)) : tests.some((test) => test(cell))),
    )
    return indices.filter((index) => hits[values.codes[index] ?? 0] === 1)
  }

  function searched(indices: Places, { search, regex }: Selection, visible: readonly Column<Row>[]): Places {
    const test = searchTest(search, regex)
    if (!test) return indices
    const found = visible.flatMap((column): { codes: Int32Array; hits: Hits }[] => {
      const values = dictionary(column.key)
      if (!values) return []
      const hits = Uint8Array.from(regex ? values.texts() : values.lowered(), (text) => Number(test(text)))
      return hits.includes(1) ? [{ codes: values.codes, hits }] : []
    })
    return indices.filter((index) => found.some(({ codes, hits }) => hits[codes[index] ?? 0] === 1))
  }

  function sorted(indices: Places, sort: readonly Sort[]): Places {
    // Stable, so the last column is sorted by first.
    return sort.reduceRight((order, { column, descending }) => {
      const values = dictionary(column)
      return values ? byRank(order, values.codes, values.ranks(), descending) : order
    }, indices)
  }

  return {
    select(selection, visible) {
      let indices = Int32Array.from(rows.keys())
      for (const filter of selection.filters) indices = filtered(indices, filter)
      indices = searched(indices, selection, visible)
      indices = sorted(indices, selection.sort)
      const selected: Row[] = []
      for (const index of indices) {
        const row = rows[index]
        if (row !== undefined) selected.push(row)
      }
      return selected
    },
    values(column) {
      const found = new Set<string>()
      for (const cell of dictionary(column)?.cells ?? []) {
        for (const value of typeof cell === 'object' ? (cell ?? []) : [String(cell)]) found.add(value)
      }
      found.delete('')
      return [...found]
    },
  }
}

function searchTest(search: string, regex: boolean): ((text: string) => boolean) | null {
  if (search.trim() === '') return null
  if (!regex) {
    const needle = search.trim().toLowerCase()
    return (text) => text.includes(needle)
  }
  const pattern = compileRegex(search)
  return pattern && ((text) => pattern.test(text))
}

/** A counting sort; rows without a value (rank -1) come last either way. */
function byRank(indices: Places, codes: Int32Array, ranks: Int32Array, descending: boolean): Places {
  const last = ranks.length
  const keyOf = (index: number) => {
    const rank = ranks[codes[index] ?? 0] ?? -1
    if (rank === -1) return last
    return descending ? last - 1 - rank : rank
  }
  const starts = new Int32Array(last + 2)
  for (const index of indices) {
    const next = keyOf(index) + 1
    starts[next] = (starts[next] ?? 0) + 1
  }
  for (let key = 1; key < starts.length; key++) starts[key] = (starts[key] ?? 0) + (starts[key - 1] ?? 0)
  const order = new Int32Array(indices.length)
  for (const index of indices) {
    const key = keyOf(index)
    const place = starts[key] ?? 0
    order[place] = index
    starts[key] = place + 1
  }
  return order
}
