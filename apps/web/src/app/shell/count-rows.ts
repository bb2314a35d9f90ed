import { columnsOf, createQueryEngine, type GridDefinition, labelGrid } from '@kustos/contract/grid'
import type { View } from '@kustos/contract/views'
import i18next from 'i18next'
import { currentLanguage } from '../../platform/i18n.ts'
import { findMissing } from '../../ui/data-grid/views/view-contents.ts'
import { readSavedView } from '../../ui/data-grid/views/view-url.ts'

/** @returns how many rows a view shows; null if the list lacks columns that it filters by */
export function countRows<Row>(view: View, grid: GridDefinition<Row>, rows: readonly Row[]): number | null {
  if ((findMissing(view, grid)?.filters.length ?? 0) > 0) return null
  const { state } = readSavedView(view, grid)
  const labels = i18next.t(`gridLabels.${grid.name}`, { returnObjects: true })
  const labelled = labelGrid(grid, labels, currentLanguage())
  const sets = state.sets ?? grid.sets.filter((set) => set.isVisibleByDefault).map(({ key }) => key)
  const visible = columnsOf(labelled, sets)
  return createQueryEngine(rows, labelled.columns).query({ ...state, sort: [] }, visible).length
}
