import type { Column } from '@kustos/contract/grid'
import classes from './data-grid.module.css'

export function columnClasses(
  column: Pick<Column<never>, 'kind' | 'isMonospaced'>,
  isFirst: boolean,
): string {
  const { kind, isMonospaced } = column
  const names = [
    (kind === 'number' || kind === 'bytes') && classes.numeric,
    kind === 'date' && classes.tabular,
    isFirst && classes.pinned,
    isMonospaced && classes.monoColumn,
  ]
  return names.filter(Boolean).join(' ')
}
