import { expect, it } from 'vitest'
import { staleSince } from './stale-list.ts'

it.each([
  [null, null],
  ['', null],
  ['soon', null],
  ['0', 100_000],
  ['60', 40_000],
])('reads the header %s as stale since %s', (header, expected) => {
  expect(staleSince(header, 100_000)).toBe(expected)
})
