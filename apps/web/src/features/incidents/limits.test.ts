import { expect, it } from 'vitest'
import { incidentLimits, mayLackIncidents } from './limits.ts'

const open = { ended_at: null }
const ended = { ended_at: '2026-11-01T01:00:00.000Z' }
const { first, most } = incidentLimits
const rows = (opens: number, ends: number) => [
  ...Array.from({ length: opens }, () => open),
  ...Array.from({ length: ends }, () => ended),
]

it.each([
  ['a few of both', rows(3, 4), first, false],
  ['together more than the limit of each', rows(first - 1, first - 1), first, false],
  ['as many ended ones as were asked for', rows(0, first), first, true],
  // A large outage: the newest of them would be missing.
  ['as many open ones as were asked for', rows(first, 4), first, true],
  ['the same number, of more that were asked for', rows(first, first), most, false],
])('%s', (_, listed, limit, expected) => {
  expect(mayLackIncidents(listed, limit)).toBe(expected)
})
