import { type GridColumns, localise } from '@kustos/contract/grid'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

/** The columns in the language of the console. */
export function useLocalColumns<Row>(grid: GridColumns<Row>): GridColumns<Row> {
  const { language } = useTranslation().i18n
  return useMemo(() => localise(grid, language), [grid, language])
}
