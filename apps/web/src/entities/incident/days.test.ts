import type { UptimeDay } from '@kustos/contract/monitoring'
import { describe, expect, it } from 'vitest'
import { addDays, dayOf, monthsBefore, passedSeconds, uptimeWindow, windowDays } from './days.ts'

const hour = 3600
const at = (iso: string) => Date.parse(iso)

describe('days of Europe/Rome', () => {
  it.each([
    ['2026-11-20T22:59:59.999Z', '2026-11-20'],
    ['2026-11-20T23:00:00.000Z', '2026-11-21'],
    ['2026-07-20T21:59:59.999Z', '2026-07-20'],
    ['2026-07-20T22:00:00.000Z', '2026-07-21'],
  ])('%s is in %s', (iso, day) => {
    expect(dayOf(at(iso))).toBe(day)
  })

  it('are contiguous over months, years and clock changes', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
    expect(addDays('2026-03-28', 2)).toBe('2026-03-30')
  })

  it.each([
    ['an ordinary day', '2026-11-19', 24 * hour],
    ['the day on which clocks go forward', '2026-03-29', 23 * hour],
    ['the day on which clocks go back', '2026-10-25', 25 * hour],
    ['today, up to now', '2026-11-20', 13 * hour],
    ['a future day', '2026-11-21', 0],
  ])('have the right length: %s', (_, day, seconds) => {
    expect(passedSeconds(day, at('2026-11-20T12:00:00.000Z'))).toBe(seconds)
  })
})

describe('the window of the uptime page', () => {
  it.each([
    ['2026-11-21', '2026-05-21'],
    ['2026-08-31', '2026-02-28'],
    ['2028-08-29', '2028-02-29'],
    ['2026-03-15', '2025-09-15'],
    ['2026-06-30', '2025-12-30'],
  ])('six months before %s is %s', (day, before) => {
    expect(monthsBefore(day, 6)).toBe(before)
  })

  it('ends today in Europe/Rome', () => {
    expect(uptimeWindow(at('2026-11-20T23:30:00.000Z'))).toEqual({ begin: '2026-05-21', end: '2026-11-21' })
  })

  it('contains every day and marks unknown ones', () => {
    const known: UptimeDay = {
      date: '2026-11-20',
      downtime: 0,
      planned: 0,
      checks: 1440,
      failures: 0,
      degraded: 0,
      uptime: 100,
      response_time_ms: 90,
      response_time_p95_ms: 200,
      unknown: 0,
    }
    expect(windowDays('2026-11-19', '2026-11-21', [known])).toEqual([
      { date: '2026-11-19', known: null },
      { date: '2026-11-20', known },
      { date: '2026-11-21', known: null },
    ])
  })
})
