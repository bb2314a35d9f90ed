import { type GridDefinition, type GridState, gridStateToQuery } from '@kustos/contract/grid'
import type { View } from '@kustos/contract/views'
import { firstPage } from './view-url.ts'

/** What a view saves: the state without its page, and the list's own parameters. @param sets those that are visible */
export function viewQuery<Row>(
  grid: GridDefinition<Row>,
  state: GridState,
  sets: readonly string[],
  params: readonly [string, string][],
): string {
  const visible = grid.sets.length > 0 ? { sets } : {}
  const pairs = gridStateToQuery({ ...firstPage(state), ...visible })
  return new URLSearchParams([...params, ...pairs]).toString()
}

export interface MissingParts {
  readonly filters: readonly string[]
  readonly columns: readonly string[]
}

/** The keys of columns and sets that a view names and its list no longer has; null if it has them all. */
export function findMissing<Row>(view: View, grid: GridDefinition<Row>): MissingParts | null {
  const query = new URLSearchParams(view.query)
  const isMissing = (key: string) => key !== '' && !grid.columns.some((column) => column.key === key)
  const isMissingSet = (key: string) => key !== '' && !grid.sets.some((set) => set.key === key)
  const list = (name: string) => (query.get(name) ?? '').split(',')
  const filters = [...query.keys()].filter((key) => key.startsWith('f.')).map((key) => key.slice(2))
  const columns = [
    ...list('sort').map((part) => part.replace(/^-/, '')),
    ...view.column_order,
    ...Object.keys(view.column_widths),
  ].filter(isMissing)
  const missing = {
    filters: [...new Set(filters.filter(isMissing))],
    columns: [...new Set([...columns, ...list('sets').filter(isMissingSet)])],
  }
  return missing.filters.length + missing.columns.length === 0 ? null : missing
}
