import { expect, it } from 'vitest'
import { changeOperator } from './change-operator.ts'

it.each([
  ['between', ['1', '2'], '=', ['1']],
  ['between', ['', '2'], '<', ['']],
  ['=', ['1'], 'between', ['1']],
  ['any-of', ['n1', 'n2'], 'none-of', ['n1', 'n2']],
  ['contains', ['a'], 'empty', []],
  ['empty', [], 'contains', []],
] as const)('changes %s %j to %s with the values %j', (before, values, operator, expected) => {
  expect(changeOperator({ operator: before, values }, operator)).toEqual({ operator, values: expected })
})
