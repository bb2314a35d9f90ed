import { type GridDefinition, type LabelledGrid, labelGrid } from '@kustos/contract/grid'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../platform/i18n.ts'
import type { Texts } from './types.ts'

/** The grid in the user's language. @param texts must be the same object on every render */
export function useLabelledGrid<Row>(grid: GridDefinition<Row>, texts?: Texts<Row>): LabelledGrid<Row> {
  const { t } = useTranslation()
  return useMemo(() => {
    const labels = t(`gridLabels.${grid.name}`, { returnObjects: true })
    const labelled = labelGrid(grid, labels, currentLanguage())
    if (texts === undefined) return labelled
    const columns = labelled.columns.map((column) => ({
      ...column,
      value: texts[column.key] ?? column.value,
    }))
    return { ...labelled, columns }
  }, [grid, t, texts])
}
