import { type Column, type ColumnFilter, type Condition, compileCondition } from '@kustos/contract/grid'
import type { TFunction } from 'i18next'

/** Such as "Node: n1, n2" or "Node none of n1, n2". */
export function describeCondition<Row>(t: TFunction, column: Column<Row>, condition: Condition): string {
  const { operator, values } = condition
  const comparison =
    operator === 'any-of' ? `${column.label}:` : `${column.label} ${t(`grid.operators.${operator}`)}`
  if (operator === 'empty' || operator === 'not-empty') return comparison
  const labels = values.map((value) => column.options?.find((known) => known.value === value)?.label ?? value)
  return `${comparison} ${labels.join(operator === 'between' ? ` ${t('grid.and')} ` : ', ')}`
}

/** The conditions that are complete and valid. */
export const activeConditions = <Row>(column: Column<Row>, filter: ColumnFilter): readonly Condition[] =>
  filter.conditions.filter((condition) => compileCondition(column, condition) !== null)
