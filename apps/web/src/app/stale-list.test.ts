import { expect, it } from 'vitest'
import { staleSince } from './stale-list.ts'

it.each([
  [null, null],
  ['', null],
  ['soon', null],
  ['0', 100_000],
  ['60', 40_000],
])('a list with the header %s is stale since %s', (header, expected) => {
  expect(staleSince(header, 100_000)).toBe(expected)
})
