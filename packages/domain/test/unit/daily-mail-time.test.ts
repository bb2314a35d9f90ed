import { expect, it } from 'vitest'
import { lastMailTime } from '../../src/subscriptions/daily-mails.ts'

it.each([
  ['in winter', '2026-11-26T06:00:00Z', '2026-11-26T06:00:00Z'],
  ['a moment earlier', '2026-11-26T05:59:59.999Z', '2026-11-25T06:00:00Z'],
  ['in summer', '2026-07-01T12:00:00Z', '2026-07-01T05:00:00Z'],
  ['on the day that has 23 hours', '2026-03-29T05:30:00Z', '2026-03-29T05:00:00Z'],
  ['in the night before it', '2026-03-29T00:30:00Z', '2026-03-28T06:00:00Z'],
  ['on the day that has 25 hours', '2026-10-25T05:59:00Z', '2026-10-24T05:00:00Z'],
])('makes daily mails due at seven in Rome: %s', (_, now, due) => {
  expect(lastMailTime(new Date(now))).toEqual(new Date(due))
})
