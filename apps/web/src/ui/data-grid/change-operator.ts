import { type Condition, type Operator, valueCountOf } from '@kustos/contract/grid'

/** A condition with another operator of its column's kind, and as many of its values as that takes. */
export const changeOperator = ({ values }: Condition, operator: Operator): Condition => ({
  operator,
  values: values.slice(0, valueCountOf(operator) ?? values.length),
})
