import { describe, expect, it } from 'vitest'
import { startOfPeriod } from '../../src/logs/period.ts'

describe('the start of a period in Rome', () => {
  it.each([
    ['today', '2026-11-26T15:00:00Z', '2026-11-25T23:00:00.000Z'],
    ['today', '2026-11-26T23:30:00Z', '2026-11-26T23:00:00.000Z'],
    ['week', '2026-11-26T15:00:00Z', '2026-11-22T23:00:00.000Z'],
    ['week', '2026-11-22T22:59:59Z', '2026-11-15T23:00:00.000Z'],
    ['week', '2026-11-22T23:00:00Z', '2026-11-22T23:00:00.000Z'],
    // The clocks changed on 25 October, between this Monday and now, and on the day itself.
    ['week', '2026-10-25T20:00:00Z', '2026-10-18T22:00:00.000Z'],
    ['today', '2026-10-25T20:00:00Z', '2026-10-24T22:00:00.000Z'],
    ['today', '2026-03-29T20:00:00Z', '2026-03-28T23:00:00.000Z'],
    ['30days', '2026-11-10T12:00:00Z', '2026-10-10T22:00:00.000Z'],
  ] as const)('%s at %s is %s', (period, now, start) => {
    expect(startOfPeriod(period, new Date(now)).toISOString()).toBe(start)
  })
})
