import type { Column } from './columns.ts'
import { type ColumnFilter, compileRegex, type Test, testOf } from './conditions.ts'
import { type Dictionary, dictionaryOf } from './dictionary.ts'
import { type Haystack, haystackOf } from './haystack.ts'

export interface Sort {
  readonly column: string
  readonly descending: boolean
}

export interface Selection {
  readonly search: string
  /** Whether the search is a regular expression. */
  readonly regex: boolean
  readonly filters: readonly ColumnFilter[]
  readonly sort: readonly Sort[]
}

export const nothingSelected: Selection = { search: '', regex: false, filters: [], sort: [] }

/** Filters and sorts the same rows again and again; what it derives from them is cached. */
export interface Selector<Row> {
  /** @param visible the searched columns */
  select(selection: Selection, visible: readonly Column<Row>[]): readonly Row[]
  /** Prepares the first search in small steps, for idle time. */
  warmUp(visible: readonly Column<Row>[]): Generator<void>
  /** The distinct values that occur in a column, single tags for tags, in the order of the rows. */
  values(column: string): readonly string[]
}

/** Row indexes. */
type Places = Int32Array<ArrayBuffer>
/** By distinct value of a column, 1 if it passes. */
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

  function filtered(places: Places, { column: key, join, conditions }: ColumnFilter): Places {
    const column = byKey.get(key)
    const values = dictionary(key)
    if (!column || !values) return places
    const asked = conditions
      .map((condition) => testOf(column.kind, condition))
      .filter((test) => test !== null)
      .map((test) => hitsOf(values, test))
    const [first] = asked
    if (!first) return places
    const hits = first.map((_, code) =>
      Number(join === 'all' ? asked.every((hit) => hit[code]) : asked.some((hit) => hit[code])),
    )
    return places.filter((place) => hits[values.codes[place] ?? 0] === 1)
  }

  let lastHaystack: { readonly keys: string; readonly haystack: Haystack } | undefined

  function haystack(visible: readonly Column<Row>[]): Haystack {
    const keys = visible.map((column) => column.key).join()
    if (lastHaystack?.keys !== keys) {
      const columns = visible.flatMap((column) => dictionary(column.key) ?? [])
      lastHaystack = { keys, haystack: haystackOf(rows.length, columns) }
    }
    return lastHaystack.haystack
  }

  function searched(places: Places, { search, regex }: Selection, visible: readonly Column<Row>[]): Places {
    const needle = search.trim().toLowerCase()
    if (needle === '') return places
    if (!regex) {
      const found = haystack(visible).find(needle)
      return places.filter((place) => found[place] === 1)
    }
    const pattern = compileRegex(search)
    if (!pattern) return places
    const test: Test = { of: 'text', holds: (text) => pattern.test(text) }
    const found = visible.flatMap((column): { codes: Int32Array; hits: Hits }[] => {
      const values = dictionary(column.key)
      if (!values) return []
      const hits = hitsOf(values, test)
      return hits.includes(1) ? [{ codes: values.codes, hits }] : []
    })
    return places.filter((place) => found.some(({ codes, hits }) => hits[codes[place] ?? 0] === 1))
  }

  function sorted(places: Places, sort: readonly Sort[]): Places {
    // Stable, so the last column is sorted by first.
    return sort.reduceRight((order, { column, descending }) => {
      const values = dictionary(column)
      return values ? byRank(order, values.codes, values.ranks(), descending) : order
    }, places)
  }

  return {
    select(selection, visible) {
      let places = allPlaces(rows.length)
      for (const filter of selection.filters) places = filtered(places, filter)
      places = searched(places, selection, visible)
      places = sorted(places, selection.sort)
      const selected: Row[] = []
      for (const place of places) {
        const row = rows[place]
        if (row !== undefined) selected.push(row)
      }
      return selected
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
      for (const cell of dictionary(column)?.cells ?? []) {
        for (const value of typeof cell === 'object' ? (cell ?? []) : [String(cell)]) found.add(value)
      }
      found.delete('')
      return [...found]
    },
  }
}

function hitsOf(values: Dictionary, test: Test): Hits {
  if (test.of === 'cell') return marked(values.cells, test.holds)
  return marked(test.of === 'text' ? values.texts() : values.lowered(), test.holds)
}

function marked<T>(list: readonly T[], holds: (value: T) => boolean): Hits {
  const hits = new Uint8Array(list.length)
  list.forEach((value, code) => {
    if (holds(value)) hits[code] = 1
  })
  return hits
}

function allPlaces(count: number): Places {
  const places = new Int32Array(count)
  for (let place = 0; place < count; place++) places[place] = place
  return places
}

/** A counting sort; rows without a value (rank -1) come last in both directions. */
function byRank(places: Places, codes: Int32Array, ranks: Int32Array, descending: boolean): Places {
  const last = ranks.length
  const keyOf = (place: number) => {
    const rank = ranks[codes[place] ?? 0] ?? -1
    if (rank === -1) return last
    return descending ? last - 1 - rank : rank
  }
  const starts = new Int32Array(last + 2)
  for (const place of places) {
    const next = keyOf(place) + 1
    starts[next] = (starts[next] ?? 0) + 1
  }
  for (let key = 1; key < starts.length; key++) starts[key] = (starts[key] ?? 0) + (starts[key - 1] ?? 0)
  const order = new Int32Array(places.length)
  for (const place of places) {
    const key = keyOf(place)
    const to = starts[key] ?? 0
    order[to] = place
    starts[key] = to + 1
  }
  return order
}
