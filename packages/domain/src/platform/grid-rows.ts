import { on } from 'node:events'
import type { MessagePort } from 'node:worker_threads'
import {
  type Column,
  columnsOf,
  createQueryEngine,
  type GridDefinition,
  type GridLabels,
  type GridLanguage,
  gridStateFromQuery,
  labelGrid,
} from '@kustos/contract/grid'

type Query = readonly (readonly [string, string])[]

/** For threads that filter lists: the rows that arrive as JSON joined by commas, in chunks of whole rows; null ends them. */
export async function receiveRows<Row>(port: MessagePort): Promise<Row[]> {
  const all: Row[] = []
  const decoder = new TextDecoder()
  for await (const [piece] of on(port, 'message')) {
    if (piece === null) break
    const rows: Row[] = JSON.parse(`[${decoder.decode(piece)}]`)
    for (const row of rows) all.push(row)
  }
  return all
}

/**
 * Filters, searches and sorts rows as the list's screen does.
 * @returns a function of the parameters of the list's address, which may be called for many of them
 */
export function createRowSelection<Row>(
  definition: GridDefinition<Row>,
  labels: GridLabels,
  language: GridLanguage,
  rows: readonly Row[],
): (query: Query) => { readonly rows: readonly Row[]; readonly columns: readonly Column<Row>[] } {
  const grid = labelGrid(definition, labels, language)
  const engine = createQueryEngine(rows, grid.columns)
  const shown = grid.sets.filter((set) => set.isVisibleByDefault).map((set) => set.key)
  return (query) => {
    const state = gridStateFromQuery(query, grid)
    const columns = columnsOf(grid, state.sets ?? shown)
    return { rows: engine.query(state, columns), columns }
  }
}
