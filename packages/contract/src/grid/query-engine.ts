import type { Column } from './columns.ts'
import { type ColumnFilter, createTest, keyOfTag, regexTest, type Test } from './conditions.ts'
import { createDictionary, type Dictionary } from './dictionary.ts'
import { toComparable } from './format.ts'
import { createHaystack, type Haystack } from './haystack.ts'

export interface Sort {
  readonly column: string
  readonly descending: boolean
}

export interface GridQuery {
  readonly search: string
  /** Whether the search is a regular expression. */
  readonly regex: boolean
  readonly filters: readonly ColumnFilter[]
  readonly sort: readonly Sort[]
}

export const emptyQuery: GridQuery = { search: '', regex: false, filters: [], sort: [] }

/** Filters and sorts the same rows again and again; what it derives from them is cached. */
export interface QueryEngine<Row> {
  /** @param visible the searched columns */
  query(query: GridQuery, visible: readonly Column<Row>[]): readonly Row[]
  /** Prepares the first search in small steps, for idle time. */
  warmUp(visible: readonly Column<Row>[]): Generator<void>
  /** The distinct values that occur in a column, single tags for tags, in the order of the rows. */
  values(column: string): readonly string[]
}

type RowIndexes = Int32Array<ArrayBuffer>
/** By distinct value of a column, 1 if it passes. */
type MatchFlags = Uint8Array

export function createQueryEngine<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): QueryEngine<Row> {
  const byKey = new Map(columns.map((column) => [column.key, column]))
  const dictionaries = new Map<string, Dictionary>()

  function dictionary(key: string): Dictionary | undefined {
    const column = byKey.get(key)
    const known = dictionaries.get(key)
    if (known || !column) return known
    const created = createDictionary(rows, column)
    dictionaries.set(key, created)
    return created
  }

  function applyFilter(indexes: RowIndexes, { column: key, join, conditions }: ColumnFilter): RowIndexes {
    const column = byKey.get(key)
    const values = dictionary(key)
    if (!column || !values) return indexes
    const flags = conditions
      .map((condition) => createTest(column, condition))
      .filter((test) => test !== null)
      .map((test) => matchValues(values, test))
    const [first] = flags
    if (!first) return indexes
    const hits = first.map((_, code) =>
      Number(join === 'all' ? flags.every((flag) => flag[code]) : flags.some((flag) => flag[code])),
    )
    return indexes.filter((index) => hits[values.codes[index] ?? 0] === 1)
  }

  let lastHaystack: { readonly keys: string; readonly haystack: Haystack } | undefined

  function haystack(visible: readonly Column<Row>[]): Haystack {
    const keys = visible.map((column) => column.key).join()
    if (lastHaystack?.keys !== keys) {
      const columns = visible.flatMap((column) => dictionary(column.key) ?? [])
      lastHaystack = { keys, haystack: createHaystack(rows.length, columns) }
    }
    return lastHaystack.haystack
  }

  function applySearch(
    indexes: RowIndexes,
    { search, regex }: GridQuery,
    visible: readonly Column<Row>[],
  ): RowIndexes {
    const needle = toComparable(search.trim())
    if (needle === '') return indexes
    if (!regex) {
      const found = haystack(visible).find(needle)
      return indexes.filter((index) => found[index] === 1)
    }
    const test = regexTest(search)
    if (!test) return indexes
    const found = visible.flatMap((column): { codes: Int32Array; hits: MatchFlags }[] => {
      const values = dictionary(column.key)
      if (!values) return []
      const hits = matchValues(values, test)
      return hits.includes(1) ? [{ codes: values.codes, hits }] : []
    })
    return indexes.filter((index) => found.some(({ codes, hits }) => hits[codes[index] ?? 0] === 1))
  }

  function applySort(indexes: RowIndexes, sort: readonly Sort[]): RowIndexes {
    // Stable, so the last column is sorted by first.
    return sort.reduceRight((order, { column, descending }) => {
      const values = dictionary(column)
      return values ? sortByRank(order, values.codes, values.ranks(), descending) : order
    }, indexes)
  }

  return {
    query(query, visible) {
      let indexes = allRowIndexes(rows.length)
      for (const filter of query.filters) indexes = applyFilter(indexes, filter)
      indexes = applySearch(indexes, query, visible)
      indexes = applySort(indexes, query.sort)
      const result: Row[] = []
      for (const index of indexes) {
        const row = rows[index]
        if (row !== undefined) result.push(row)
      }
      return result
    },
    *warmUp(visible) {
      for (const column of visible) {
        dictionary(column.key)?.lowered()
        yield
      }
      haystack(visible)
    },
    values(column) {
      const found = new Set<string>()
      const isKeyed = byKey.get(column)?.isKeyed === true
      for (const cell of dictionary(column)?.cells ?? []) {
        for (const value of typeof cell === 'object' ? (cell ?? []) : [String(cell)]) {
          if (isKeyed) found.add(keyOfTag(value))
          found.add(value)
        }
      }
      found.delete('')
      return [...found]
    },
  }
}

function matchValues(values: Dictionary, test: Test): MatchFlags {
  if (test.of === 'cell') return flagMatches(values.cells, test.matches)
  return flagMatches(test.of === 'text' ? values.texts() : values.lowered(), test.matches)
}

function flagMatches<T>(list: readonly T[], matches: (value: T) => boolean): MatchFlags {
  const hits = new Uint8Array(list.length)
  list.forEach((value, code) => {
    if (matches(value)) hits[code] = 1
  })
  return hits
}

function allRowIndexes(count: number): RowIndexes {
  const indexes = new Int32Array(count)
  for (let index = 0; index < count; index++) indexes[index] = index
  return indexes
}

/** A counting sort; rows without a value (rank -1) come last in both directions. */
function sortByRank(
  indexes: RowIndexes,
  codes: Int32Array,
  ranks: Int32Array,
  descending: boolean,
): RowIndexes {
  const last = ranks.length
  const keyOf = (index: number) => {
    const rank = ranks[codes[index] ?? 0] ?? -1
    if (rank === -1) return last
    return descending ? last - 1 - rank : rank
  }
  const starts = new Int32Array(last + 2)
  for (const index of indexes) {
    const next = keyOf(index) + 1
    starts[next] = (starts[next] ?? 0) + 1
  }
  for (let key = 1; key < starts.length; key++) starts[key] = (starts[key] ?? 0) + (starts[key - 1] ?? 0)
  const order = new Int32Array(indexes.length)
  for (const index of indexes) {
    const key = keyOf(index)
    const to = starts[key] ?? 0
    order[to] = index
    starts[key] = to + 1
  }
  return order
}
