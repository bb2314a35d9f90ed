import type { Column } from '@kustos/contract/grid'
import classes from './data-grid.module.css'

export function columnClasses(
  column: Pick<Column<never>, 'kind' | 'isMonospaced' | 'wraps'>,
  isPinned: boolean,
): string {
  const { kind, isMonospaced, wraps } = column
  const names = [
    (kind === 'number' || kind === 'bytes') && classes.numeric,
    kind === 'date' && classes.tabular,
    isPinned && classes.pinned,
    isMonospaced && classes.monoColumn,
    wraps && classes.wrapping,
  ]
  return names.filter(Boolean).join(' ')
}
