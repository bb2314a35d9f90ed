import type { UptimeDay } from '@kustos/contract/monitoring'
import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import * as de from '../../platform/messages/de/index.ts'
import * as en from '../../platform/messages/en/index.ts'
import { axisFor, roundTicks } from './axis.ts'
import { dayFacts } from './day-text.ts'
import { calculateUptime, levelOf, percentText } from './uptime.ts'

beforeAll(async () => {
  await i18next.init({ resources: { en: { translation: en }, de: { translation: de } } })
})

const factsIn = (language: 'en' | 'de', facts: UptimeDay) =>
  dayFacts(facts, i18next.getFixedT(language), language)

const now = Date.parse('2026-11-20T23:00:00.000Z')
const day = (facts: Partial<UptimeDay>): UptimeDay => ({
  date: '2026-11-20',
  downtime: 0,
  planned: 0,
  checks: 1440,
  failures: 0,
  degraded: 0,
  uptime: 100,
  response_time_ms: 90,
  response_time_p95_ms: 1200,
  unknown: 0,
  ...facts,
})

describe('uptime over several days', () => {
  it('is the share of the observed time', () => {
    const half = day({ date: '2026-11-19', downtime: 432, unknown: 43_200 })
    expect(calculateUptime(7, [half], now)).toBeCloseTo(99, 10)
    expect(calculateUptime(7, [half, day({})], now)).toBeCloseTo(100 * (1 - 432 / 129_600), 10)
  })
  it('counts planned downtime as up', () => {
    const planned = day({ date: '2026-11-19', downtime: 5184, planned: 4320 })
    expect(calculateUptime(7, [planned], now)).toBeCloseTo(99, 10)
  })
  it('counts today and the days before it', () => {
    const today = day({ date: '2026-11-21' })
    const days = [day({ date: '2026-11-14', downtime: 86_400 }), day({ date: '2026-11-15' }), today]
    expect(calculateUptime(7, days, now)).toBe(100)
    expect(calculateUptime(8, days, now)).toBe(50)
  })
  it('uses the real length of days on which clocks change', () => {
    const long = day({ date: '2026-10-25', downtime: 900 })
    expect(calculateUptime(30, [long], now)).toBeCloseTo(99, 10)
  })
  it('is unknown without observation, and never negative', () => {
    expect(calculateUptime(7, [], now)).toBeNull()
    expect(calculateUptime(7, [day({ unknown: 86_400, downtime: 300 })], now)).toBeNull()
    const downAllDay = day({ unknown: 80_000, downtime: 86_400 })
    expect(calculateUptime(7, [downAllDay], now)).toBe(0)
  })
})

describe('percentText', () => {
  it.each([
    [null, 'en', '–'],
    [100, 'en', '100 %'],
    [100, 'de', '100 %'],
    [99.999, 'en', '99.99 %'],
    [99.98, 'en', '99.98 %'],
    [99.98, 'de', '99,98 %'],
    [95, 'en', '95.00 %'],
    [0, 'en', '0.00 %'],
  ])('formats %d in %s as %s', (percent, language, expected) => {
    expect(percentText(percent, language)).toBe(expected)
  })
})

describe('levelOf', () => {
  it.each([
    ['a day without a record', null, 'unknown'],
    ['a day without observation', day({ uptime: null, downtime: 60 }), 'unknown'],
    ['no downtime', day({}), 'up'],
    ['a second of downtime', day({ downtime: 1, uptime: 99.998 }), 'some'],
    ['one percent of downtime', day({ downtime: 864, uptime: 99 }), 'some'],
    ['more than one percent of downtime', day({ downtime: 865, uptime: 98.998 }), 'much'],
    ['almost half a day of downtime', day({ downtime: 43_100, uptime: 50.11 }), 'much'],
    ['half a day of downtime', day({ downtime: 43_200, uptime: 50 }), 'most'],
    ['planned downtime', day({ downtime: 43_200, planned: 43_200, uptime: 100 }), 'planned'],
    ['more than what was planned', day({ downtime: 43_201, planned: 43_200, uptime: 99.9 }), 'some'],
    ['a whole day of downtime', day({ downtime: 86_400, uptime: 0 }), 'most'],
  ] as const)('rates %s', (_, uptimeDay, level) => {
    expect(levelOf(uptimeDay)).toBe(level)
  })
})

describe('axisFor', () => {
  it.each([
    [0, 'min', [0, 1, 2, 3, 4, 5]],
    [290, 'min', [0, 1, 2, 3, 4, 5]],
    [2400, 'min', [0, 10, 20, 30, 40]],
    [7200, 'min', [0, 30, 60, 90, 120]],
    [7201, 'h', [0, 0.5, 1, 1.5, 2, 2.5]],
    [86_400, 'h', [0, 6, 12, 18, 24]],
    [90_000, 'h', [0, 6, 12, 18, 24, 30]],
  ] as const)('divides %i s in %s at %j', (longest, unit, ticks) => {
    const axis = axisFor(longest)
    expect(axis.unit).toBe(unit)
    expect(axis.ticks.map((tick) => tick / axis.size)).toEqual(ticks)
  })
})

describe('roundTicks', () => {
  it.each([
    [0, [0, 1, 2, 3, 4]],
    [64, [0, 20, 40, 60, 80]],
    [330, [0, 100, 200, 300, 400]],
    [1000, [0, 250, 500, 750, 1000]],
    [12_300, [0, 5000, 10_000, 15_000]],
  ])('divides %i ms at %j', (longest, ticks) => {
    expect(roundTicks(longest)).toEqual(ticks)
  })
})

describe('dayFacts', () => {
  it("formats figures in the console's language", () => {
    const facts = { downtime: 725, planned: 60, uptime: 99.16, failures: 13, unknown: 3600 }
    expect(factsIn('en', day(facts))).toEqual({
      uptime: '99.16 %',
      downtime: '12 min 5 s',
      planned: '1 min',
      checks: '1,440',
      failures: '13',
      degraded: '–',
      median: '90 ms',
      p95: '1,200 ms',
      unknown: '1 h',
    })
    expect(factsIn('de', day(facts))).toMatchObject({ downtime: '12 Min. 5 s', p95: '1.200 ms' })
  })
  it('shows nothing for a day without observation', () => {
    const unwatched = day({ uptime: null, response_time_ms: null, checks: 0, unknown: 86_400 })
    expect(factsIn('en', unwatched)).toMatchObject({ uptime: '–', downtime: '–', median: '–' })
  })
})
