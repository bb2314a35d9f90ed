import { describe, expect, it } from 'vitest'
import { duration, runningTime, timeAgo } from './times.ts'

const now = Date.parse('2026-11-20T12:00:00.000Z')

describe('timeAgo', () => {
  it.each([
    ['2026-11-20T12:00:05.000Z', 'now'],
    ['2026-11-20T11:59:01.000Z', 'now'],
    ['2026-11-20T11:58:00.000Z', '2 min. ago'],
    ['2026-11-20T09:30:00.000Z', '2 hr. ago'],
    ['2026-11-19T12:00:00.000Z', 'yesterday'],
    ['2026-11-10T12:00:00.000Z', '10 days ago'],
  ])('%s: %s', (iso, expected) => {
    expect(timeAgo(iso, now, 'en')).toBe(expected)
  })
  it('speaks German', () => {
    expect(timeAgo('2026-11-20T11:58:00.000Z', now, 'de')).toBe('vor 2 Min.')
  })
})

describe('durations', () => {
  it.each([
    [-5, '00:00'],
    [41_900, '00:41'],
    [3_599_999, '59:59'],
    [3_723_000, '1:02:03'],
  ])('%i ms run as %s', (milliseconds, expected) => {
    expect(runningTime(milliseconds)).toBe(expected)
  })
  it.each([
    [0, 'en', '0.0 s'],
    [420, 'en', '0.4 s'],
    [12_100, 'de', '12,1 s'],
    [59_940, 'en', '59.9 s'],
    [59_960, 'en', '01:00'],
    [61_000, 'en', '01:01'],
  ])('%i ms in %s are %s', (milliseconds, language, expected) => {
    expect(duration(milliseconds, language)).toBe(expected)
  })
})
