import { expect, it } from 'vitest'
import { describeValues } from './describe-values.ts'

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
