import type { GridColumns } from './columns.ts'

/** Languages that a grid may have labels in; English stands in its columns. */
export const gridLanguages = ['en', 'de'] as const

/**
 * A grid in the language of whoever looks at it. Search and sort run over labels, so the screen and the export both take
 * their columns from here. A label without a translation stays English.
 */
export function localise<Row>(grid: GridColumns<Row>, language: string): GridColumns<Row> {
  const labels = language === 'de' ? grid.german : undefined
  if (labels === undefined) return grid
  const { columns, options, sets } = labels
  return {
    columns: grid.columns.map((column) => ({
      ...column,
      label: columns[column.key] ?? column.label,
      ...(column.kind === 'bytes' && { decimalComma: true }),
      ...(column.options && {
        options: column.options.map((option) => ({
          ...option,
          label: options[column.key]?.[option.value] ?? option.label,
        })),
      }),
    })),
    sets: grid.sets.map((set) => ({ ...set, label: sets[set.key] ?? set.label })),
  }
}
