import type { Column } from '@kustos/contract/grid'
import classes from './data-grid.module.css'

export function columnClasses(column: Pick<Column<never>, 'kind' | 'mono'>, isFirst: boolean): string {
  const { kind, mono } = column
  const names: (string | undefined)[] = []
  if (kind === 'number' || kind === 'bytes') names.push(classes.numeric)
  if (kind === 'date') names.push(classes.tabular)
  if (isFirst) names.push(classes.pinned)
  if (mono) names.push(classes.monoColumn)
  return names.join(' ')
}
