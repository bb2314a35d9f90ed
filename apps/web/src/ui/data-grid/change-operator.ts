import type { Condition, Operator } from '@kustos/contract/grid'

export const isWithoutValue = (operator: Operator) => operator === 'empty' || operator === 'not-empty'
export const takesOptions = (operator: Operator) => operator === 'any-of' || operator === 'none-of'

/** A condition with another operator of its column's kind, and as many of its values as that takes. */
export function changeOperator({ values }: Condition, operator: Operator): Condition {
  if (isWithoutValue(operator)) return { operator, values: [] }
  return { operator, values: takesOptions(operator) || operator === 'between' ? values : values.slice(0, 1) }
}
