import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import * as de from '../platform/messages/de/index.ts'
import * as en from '../platform/messages/en/index.ts'
import { formatClock, formatDuration, formatElapsed, timeAgo, timeLeft } from './times.ts'

beforeAll(async () => {
  await i18next.init({ resources: { en: { translation: en }, de: { translation: de } } })
})

const now = Date.parse('2026-11-20T12:00:00.000Z')

describe('timeAgo', () => {
  it.each([
    ['2026-11-20T12:00:05.000Z', 'now'],
    ['2026-11-20T11:59:01.000Z', 'now'],
    ['2026-11-20T11:58:00.000Z', '2 min. ago'],
    ['2026-11-20T09:30:00.000Z', '2 hr. ago'],
    ['2026-11-19T12:00:00.000Z', 'yesterday'],
    ['2026-11-10T12:00:00.000Z', '10 days ago'],
  ])('formats %s as %s', (iso, expected) => {
    expect(timeAgo(iso, now, 'en')).toBe(expected)
  })
  it('is available in German', () => {
    expect(timeAgo('2026-11-20T11:58:00.000Z', now, 'de')).toBe('vor 2 Min.')
  })
})

describe('timeLeft', () => {
  it.each([
    ['2026-11-20T11:59:00.000Z', 'en', 'now'],
    ['2026-11-20T12:00:59.000Z', 'de', 'jetzt'],
    ['2026-11-20T13:59:00.000Z', 'en', 'in 1 hour'],
    ['2026-11-21T12:00:00.000Z', 'en', 'in 1 day'],
    ['2026-12-02T01:00:00.000Z', 'en', 'in 11 days'],
    ['2026-12-02T01:00:00.000Z', 'de', 'in 11 Tagen'],
  ])('formats %s in %s as %s', (iso, language, expected) => {
    expect(timeLeft(iso, now, language)).toBe(expected)
  })
})

describe('durations', () => {
  it.each([
    [-5, '00:00'],
    [41_900, '00:41'],
    [3_599_999, '59:59'],
    [3_723_000, '1:02:03'],
  ])('shows %i ms as %s while counting', (milliseconds, expected) => {
    expect(formatClock(milliseconds)).toBe(expected)
  })
  it.each([
    [0, 'en', '0.0 s'],
    [420, 'en', '0.4 s'],
    [12_100, 'de', '12,1 s'],
    [59_940, 'en', '59.9 s'],
    [59_960, 'en', '01:00'],
    [61_000, 'en', '01:01'],
  ])('shows %i ms in %s as %s', (milliseconds, language, expected) => {
    expect(formatElapsed(milliseconds, language)).toBe(expected)
  })
})

describe('formatDuration', () => {
  it.each([
    [-3, 'en', '0 s'],
    [0, 'de', '0 s'],
    [59.9, 'en', '59 s'],
    [60, 'en', '1 min'],
    [725, 'en', '12 min 5 s'],
    [725, 'de', '12 Min. 5 s'],
    [3600, 'en', '1 h'],
    [3605, 'en', '1 h'],
    [11_530, 'de', '3 Std. 12 Min.'],
    [86_399, 'en', '23 h 59 min'],
    [190_000, 'en', '2 d 4 h'],
    [190_000, 'de', '2 Tg. 4 Std.'],
    [1_234 * 86_400, 'en', '1,234 d'],
  ])('shows %d s in %s as %s', (seconds, language, expected) => {
    expect(formatDuration(seconds, i18next.getFixedT(language))).toBe(expected)
  })
  it('shows only the largest unit if that is enough', () => {
    expect(formatDuration(725, i18next.getFixedT('en'), 1)).toBe('12 min')
    expect(formatDuration(59, i18next.getFixedT('de'), 1)).toBe('59 s')
  })
})
