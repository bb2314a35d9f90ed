import { expect, it } from 'vitest'
import { describeLists, describeValues } from './describe-values.ts'

const words = {
  all: (value: string) => `all: ${value}`,
  one: (value: string, count: number) => `${value} (${count})`,
  more: (count: number) => `${count} more`,
}

it.each([
  [['A', 'A'], 'all: A'],
  [['A', 'B', 'B'], 'B (2), A (1)'],
  [['', 'A', ''], ' (2), A (1)'],
  [['A', 'B', 'C', 'D', 'E', 'E'], 'E (2), A (1), B (1), 2 more'],
])('%j', (values, text) => {
  expect(describeValues(values, words)).toBe(text)
})

it.each([
  [[['A'], ['A']], 'all: A'],
  [[[], []], 'all: '],
  [[['A'], []], 'A (1)'],
  [[['B', 'A'], ['A'], ['A', 'C', 'B']], 'all: A · B (2), C (1)'],
  [[['A', 'B', 'C', 'D', 'E'], ['E', 'F'], ['F']], 'E (2), F (2), A (1), 3 more'],
])('lists of values: %j', (lists, text) => {
  expect(describeLists(lists, words)).toBe(text)
})
