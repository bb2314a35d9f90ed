import type { GridColumns } from '@kustos/contract/grid'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

/**
 * The columns in the language of the console: the contract speaks English, catalogues of other languages have
 * `columns.<id>.<column>`, `options.<id>.<column>.<value>` and `sets.<id>.<set>`.
 */
export function useLocalColumns<Row>(id: string, grid: GridColumns<Row>): GridColumns<Row> {
  const { i18n } = useTranslation()
  const { language } = i18n
  return useMemo(() => {
    const label = (key: string, english: string) => {
      const found: unknown = i18n.getResource(language, 'translation', key)
      return typeof found === 'string' ? found : english
    }
    return {
      columns: grid.columns.map((column) => ({
        ...column,
        label: label(`columns.${id}.${column.key}`, column.label),
        ...(column.options && {
          options: column.options.map((option) => ({
            ...option,
            label: label(`options.${id}.${column.key}.${option.value}`, option.label),
          })),
        }),
      })),
      sets: grid.sets.map((set) => ({ ...set, label: label(`sets.${id}.${set.key}`, set.label) })),
    }
  }, [i18n, language, id, grid])
}
