import type { Column } from '@kustos/contract/grid'
import classes from './data-grid.module.css'

export function columnClasses(column: Pick<Column<never>, 'kind' | 'mono'>, isFirst: boolean): string {
  const { kind, mono } = column
  const names = [
    (kind === 'number' || kind === 'bytes') && classes.numeric,
    kind === 'date' && classes.tabular,
    isFirst && classes.pinned,
    mono && classes.monoColumn,
  ]
  return names.filter(Boolean).join(' ')
}
