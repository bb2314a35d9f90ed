import { expect, it } from 'vitest'
import { suggestEnd } from './suggest-end.ts'

const now = Date.parse('2026-11-20T10:00:00Z')

it.each([
  ['2026-11-21T18:00', 8, '2026-11-22T02:00'],
  // Clocks change meanwhile.
  ['2027-03-27T22:00', 8, '2027-03-28T07:00'],
  ['', 2, '2026-11-20T13:00'],
])('from “%s” for %s hours is %s', (from, hours, end) => {
  expect(suggestEnd(from, hours, now)).toBe(end)
})
