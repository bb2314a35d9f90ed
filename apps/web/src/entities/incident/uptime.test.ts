import type { UptimeDay } from '@kustos/contract/monitoring'
import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import { messages as de } from '../../platform/messages/de/index.ts'
import { messages as en } from '../../platform/messages/en/index.ts'
import { axisFor, roundTicks } from './axis.ts'
import { dayFacts } from './day-text.ts'
import { levelOf, percentText, uptimeOver } from './uptime.ts'

beforeAll(async () => {
  await i18next.init({ resources: { en: { translation: en }, de: { translation: de } } })
})

const factsIn = (language: 'en' | 'de', facts: UptimeDay) =>
  dayFacts(facts, i18next.getFixedT(language), language)

const now = Date.parse('2026-11-20T23:00:00.000Z')
const day = (facts: Partial<UptimeDay>): UptimeDay => ({
  date: '2026-11-20',
  downtime: 0,
  checks: 1440,
  failures: 0,
  uptime: 100,
  response_time_ms: 90,
  response_time_p95_ms: 1200,
  unknown: 0,
  ...facts,
})

describe('uptime over several days', () => {
  it('is the share of the observed time', () => {
    const half = day({ date: '2026-11-19', downtime: 432, unknown: 43_200 })
    expect(uptimeOver(7, [half], now)).toBeCloseTo(99, 10)
    expect(uptimeOver(7, [half, day({})], now)).toBeCloseTo(100 * (1 - 432 / 129_600), 10)
  })
  it('counts today and the days before it', () => {
    const today = day({ date: '2026-11-21' })
    const days = [day({ date: '2026-11-14', downtime: 86_400 }), day({ date: '2026-11-15' }), today]
    expect(uptimeOver(7, days, now)).toBe(100)
    expect(uptimeOver(8, days, now)).toBe(50)
  })
  it('uses the real length of days on which clocks change', () => {
    const long = day({ date: '2026-10-25', downtime: 900 })
    expect(uptimeOver(30, [long], now)).toBeCloseTo(99, 10)
  })
  it('is unknown without observation, and never negative', () => {
    expect(uptimeOver(7, [], now)).toBeNull()
    expect(uptimeOver(7, [day({ unknown: 86_400, downtime: 300 })], now)).toBeNull()
    const wholly = day({ unknown: 80_000, downtime: 86_400 })
    expect(uptimeOver(7, [wholly], now)).toBe(0)
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
  ])('%d in %s: %s', (percent, language, expected) => {
    expect(percentText(percent, language)).toBe(expected)
  })
})

describe('levelOf', () => {
  it.each([
    ['nothing recorded', null, 'unknown'],
    ['nobody watched', day({ uptime: null, downtime: 60 }), 'unknown'],
    ['no second down', day({}), 'up'],
    ['a second down', day({ downtime: 1, uptime: 99.998 }), 'some'],
    ['a hundredth down', day({ downtime: 864, uptime: 99 }), 'some'],
    ['more', day({ downtime: 865, uptime: 98.998 }), 'much'],
    ['nearly half', day({ downtime: 43_100, uptime: 50.11 }), 'much'],
    ['half', day({ downtime: 43_200, uptime: 50 }), 'most'],
    ['all of it', day({ downtime: 86_400, uptime: 0 }), 'most'],
  ] as const)('%s: %s', (_, given, level) => {
    expect(levelOf(given)).toBe(level)
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
  ] as const)('%i s: %s in %j', (longest, unit, ticks) => {
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
  ])('%i ms: %j', (longest, ticks) => {
    expect(roundTicks(longest)).toEqual(ticks)
  })
})

describe('dayFacts', () => {
  it("formats figures in the console's language", () => {
    const facts = { downtime: 725, uptime: 99.16, failures: 13, unknown: 3600 }
    expect(factsIn('en', day(facts))).toEqual({
      uptime: '99.16 %',
      downtime: '12 min 5 s',
      checks: '1,440',
      failures: '13',
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
