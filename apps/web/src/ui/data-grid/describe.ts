import { type Column, type ColumnFilter, type Condition, compileCondition } from '@kustos/contract/grid'
import type { TFunction } from 'i18next'

/** Such as "Node any of n1, n2". */
export function describeCondition<Row>(t: TFunction, column: Column<Row>, condition: Condition): string {
  const { operator, values } = condition
  const words = `${column.label} ${t(`grid.operators.${operator}`)}`
  const shown = values.map(
    (value) => column.options?.find((option) => option.value === value)?.label ?? value,
  )
  if (operator === 'empty' || operator === 'not-empty') return words
  if (operator === 'between') return `${words} ${shown.join(` ${t('grid.and')} `)}`
  return `${words} ${shown.join(', ')}`
}

/** The conditions that are complete and valid. */
export const inForce = <Row>(column: Column<Row>, filter: ColumnFilter | undefined): readonly Condition[] =>
  filter?.conditions.filter((condition) => compileCondition(column, condition) !== null) ?? []
