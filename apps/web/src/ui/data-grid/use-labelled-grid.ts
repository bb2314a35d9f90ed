import { type GridColumns, type GridDefinition, labelGrid } from '@kustos/contract/grid'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../platform/i18n.ts'

/** The grid in the language of the console. */
export function useLabelledGrid<Row>(grid: GridDefinition<Row>): GridColumns<Row> {
  const { t } = useTranslation()
  return useMemo(
    () => labelGrid(grid, t(`gridLabels.${grid.name}`, { returnObjects: true }), currentLanguage()),
    [grid, t],
  )
}
