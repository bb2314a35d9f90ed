import type { ColumnDefinition, GridDefinition } from './columns.ts'
import {
  type ColumnFilter,
  type Condition,
  compileRegex,
  isConclusive,
  isUnfinished,
  maxConditions,
  operatorsOf,
} from './conditions.ts'
import type { GridQuery, Sort } from './query-engine.ts'

export const pageSizes = [25, 50, 100, 500, 1000] as const
export type PageSize = (typeof pageSizes)[number]

/** The state of a grid in the URL. `sets` is null if the URL has none. */
export interface GridState extends GridQuery {
  readonly page: number
  readonly size: PageSize
  readonly sets: readonly string[] | null
}

export const initialGridState: GridState = {
  search: '',
  regex: false,
  filters: [],
  sort: [],
  page: 1,
  size: 50,
  sets: null,
}

type Pairs = readonly (readonly [string, string])[]

/** A URL cannot hold a lone surrogate. */
const encodeValues = (values: readonly string[]) =>
  values.map((value) => encodeURIComponent(value.toWellFormed())).join(',')

/** @returns null if malformed */
function decodeValues(text: string): string[] | null {
  if (text === '') return []
  try {
    return text.split(',').map(decodeURIComponent)
  } catch {
    return null
  }
}

/**
 * A grid's state as query parameters, without those at their default:
 * `q`, `regex`, `f.<column>=<operator>:<values>` once for each condition, `j.<column>=any`, `sort=fqdn,-id`, `page`,
 * `size`, `sets`.
 */
export function gridStateToQuery(state: GridState): [string, string][] {
  const pairs: [string, string][] = []
  if (state.search !== '') pairs.push(['q', state.search])
  if (state.regex) pairs.push(['regex', '1'])
  for (const { column, join, conditions } of state.filters) {
    const finished = conditions.filter((condition) => !isUnfinished(condition))
    for (const { operator, values } of finished) {
      pairs.push([`f.${column}`, `${operator}:${encodeValues(values)}`])
    }
    if (join === 'any' && finished.length > 0) pairs.push([`j.${column}`, 'any'])
  }
  const sort = state.sort.map(({ column, descending }) => (descending ? `-${column}` : column))
  if (sort.length > 0) pairs.push(['sort', sort.join(',')])
  if (state.page !== 1) pairs.push(['page', String(state.page)])
  if (state.size !== 50) pairs.push(['size', String(state.size)])
  if (state.sets !== null) pairs.push(['sets', state.sets.join(',')])
  return pairs
}

/** The inverse of `gridStateToQuery`. Unknown parts, as of an old link, are ignored. */
export function gridStateFromQuery<Row>(query: Pairs, grid: GridDefinition<Row>): GridState {
  const last = (name: string) => query.findLast(([key]) => key === name)?.[1]
  const page = Number(last('page') ?? 1)
  const size = Number(last('size') ?? 50)
  const sets = last('sets')?.split(',')
  return {
    search: last('q') ?? '',
    regex: last('regex') === '1',
    filters: readFilters(query, grid),
    sort: readSort(last('sort') ?? '', grid),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    size: pageSizes.find((known) => known === size) ?? 50,
    sets: sets ? grid.sets.map((set) => set.key).filter((key) => sets.includes(key)) : null,
  }
}

function readFilters<Row>(query: Pairs, grid: GridDefinition<Row>): ColumnFilter[] {
  return grid.columns.flatMap((column): ColumnFilter[] => {
    const conditions = readConditions(query, column).slice(0, maxConditions)
    if (conditions.length === 0) return []
    const join = query.some(([key, value]) => key === `j.${column.key}` && value === 'any') ? 'any' : 'all'
    return [{ column: column.key, join, conditions }]
  })
}

/** The conditions of a query on a column. */
export const readConditions = (
  query: Pairs,
  column: Pick<ColumnDefinition<never>, 'key' | 'kind'>,
): Condition[] =>
  query.filter(([key]) => key === `f.${column.key}`).flatMap(([, text]) => readCondition(column, text) ?? [])

/**
 * The parameters with other conditions on a column; those that a list would ignore stay.
 * @param replace returns what takes the place of a condition, or the condition itself
 */
export const replaceConditions = (
  query: Pairs,
  { key, kind }: Pick<ColumnDefinition<never>, 'key' | 'kind'>,
  replace: (condition: Condition) => Condition,
): [string, string][] =>
  query.map(([name, text]) => {
    const condition = name === `f.${key}` ? readCondition({ kind }, text) : null
    const next = condition && replace(condition)
    // What does not change keeps its spelling.
    if (next === null || next === condition) return [name, text]
    return [name, `${next.operator}:${encodeValues(next.values)}`]
  })

function readCondition({ kind }: Pick<ColumnDefinition<never>, 'kind'>, text: string): Condition | null {
  const colon = text.indexOf(':')
  const operator = operatorsOf(kind).find((known) => known === text.slice(0, colon))
  const values = decodeValues(text.slice(colon + 1))
  return operator && values ? { operator, values } : null
}

function readSort<Row>(text: string, grid: GridDefinition<Row>): Sort[] {
  const sort = text.split(',').map((part): Sort => {
    const descending = part.startsWith('-')
    return { column: descending ? part.slice(1) : part, descending }
  })
  return sort.filter(
    ({ column }, index) =>
      grid.columns.some(({ key }) => key === column) &&
      sort.findIndex((other) => other.column === column) === index,
  )
}

/** They choose the order, the page, the columns and the language, so a mistake in them never lets more rows match. */
const harmless: readonly string[] = ['sort', 'page', 'size', 'sets', 'lang']

/**
 * The name of a parameter that a list ignores, in whole or in part, so that more rows match than were meant.
 * For changes of all rows that match; a screen shows what it has ignored.
 */
export function findIgnoredParameter<Row>(query: Pairs, grid: GridDefinition<Row>): string | undefined {
  const valuesOf = (name: string) => query.filter(([key]) => key === name).map(([, value]) => value)
  const isRead = ([name, value]: Pairs[number]) => {
    if (harmless.includes(name)) return true
    const values = valuesOf(name)
    if (name === 'regex') return value === '1'
    if (name === 'q')
      return values.length === 1 && (!valuesOf('regex').includes('1') || compileRegex(value) !== null)
    const column = grid.columns.find(({ key }) => key === name.slice(2))
    if (!column || column.displayOnly) return false
    if (name.startsWith('j.')) return value === 'any' && valuesOf(`f.${column.key}`).length > 0
    const condition = readCondition(column, value)
    return (
      name.startsWith('f.') &&
      values.length <= maxConditions &&
      condition !== null &&
      isConclusive(column, condition)
    )
  }
  return query.find((pair) => !isRead(pair))?.[0]
}
