import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayAfter, dayOf, daysFrom, spanOf } from '../../src/monitoring/day.ts'
import {
  computeDownSpans,
  computePlannedSpans,
  type IncidentTimes,
  overlapSeconds,
} from '../../src/monitoring/downtime.ts'

const hour = 3_600

describe('days of Europe/Rome', () => {
  test.each([
    ['2026-01-15', 24, '2026-01-14T23:00:00.000Z'],
    ['2026-07-15', 24, '2026-07-14T22:00:00.000Z'],
    // Clocks go forward at two in the morning …
    ['2026-03-29', 23, '2026-03-28T23:00:00.000Z'],
    // … and back at three.
    ['2026-10-25', 25, '2026-10-24T22:00:00.000Z'],
    ['2028-02-29', 24, '2028-02-28T23:00:00.000Z'],
  ])('%s has %i hours and starts at %s', (day, hours, begin) => {
    const { from, to } = spanOf(day)
    expect(new Date(from).toISOString()).toBe(begin)
    expect((to - from) / 1000).toBe(hours * hour)
  })

  test.each([
    ['2026-03-28T22:59:59.999Z', '2026-03-28'],
    ['2026-03-28T23:00:00.000Z', '2026-03-29'],
    ['2026-10-25T22:59:59.999Z', '2026-10-25'],
    ['2026-10-25T23:00:00.000Z', '2026-10-26'],
  ])('%s is in %s', (at, day) => {
    expect(dayOf(new Date(at))).toBe(day)
  })

  test('are contiguous', () => {
    const days = daysFrom('2025-12-30', '2027-01-02')
    expect(days).toHaveLength(369)
    for (const day of days) expect(spanOf(day).to).toBe(spanOf(dayAfter(day, 1)).from)
  })

  test('are none if the end precedes the start', () => {
    expect(daysFrom('2026-02-02', '2026-02-01')).toEqual([])
  })
})

const at = (text: string) => new Date(text)
const incident = (from: string, to: string | null, more: Partial<IncidentTimes> = {}): IncidentTimes => ({
  started_at: at(from),
  ended_at: to === null ? null : at(to),
  watched_until: at(to ?? from),
  gaps: [],
  ...more,
})
const downtimeOf = (day: string, ...incidents: IncidentTimes[]) =>
  overlapSeconds(computeDownSpans(incidents), spanOf(day))

describe('downtime', () => {
  test('counts from the first failed probe to the first good one', () => {
    expect(downtimeOf('2026-11-20', incident('2026-11-20T10:00:00.4Z', '2026-11-20T10:12:30.4Z'))).toBe(750)
  })

  test('is split at midnight in Rome', () => {
    const night = incident('2026-11-20T22:50:00Z', '2026-11-20T23:05:00Z')
    expect(downtimeOf('2026-11-20', night)).toBe(600)
    expect(downtimeOf('2026-11-21', night)).toBe(300)
  })

  test.each([
    ['2026-03-29', 23],
    ['2026-10-25', 25],
    ['2026-06-01', 24],
  ])('is at most the length of %s, which has %i hours', (day, hours) => {
    expect(downtimeOf(day, incident('2026-01-01T00:00:00Z', '2026-12-31T00:00:00Z'))).toBe(hours * hour)
  })

  test('of an open incident counts until the last round in which it failed', () => {
    const open = incident('2026-11-20T10:00:00Z', null, { watched_until: at('2026-11-20T10:06:00Z') })
    expect(downtimeOf('2026-11-20', open)).toBe(360)
  })

  test('excludes unobserved time', () => {
    const gaps = [
      { started_at: at('2026-11-20T10:10:00Z'), ended_at: at('2026-11-20T10:40:00Z') },
      { started_at: at('2026-11-20T10:50:00Z'), ended_at: at('2026-11-20T11:00:00Z') },
    ]
    expect(downtimeOf('2026-11-20', incident('2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z', { gaps }))).toBe(
      20 * 60,
    )
  })

  test('of overlapping incidents counts once', () => {
    const twice = [
      incident('2026-11-20T10:00:00Z', '2026-11-20T10:10:00Z'),
      incident('2026-11-20T10:05:00Z', '2026-11-20T10:20:00Z'),
    ]
    expect(downtimeOf('2026-11-20', ...twice)).toBe(20 * 60)
  })
})

/** A time in the weeks around the day on which clocks go back. */
const moment = fc.integer({
  min: Date.parse('2026-10-10T00:00:00Z'),
  max: Date.parse('2026-11-10T00:00:00Z'),
})
const anyIncident = fc
  .record({
    times: fc.tuple(moment, moment),
    open: fc.boolean(),
    gaps: fc.array(fc.tuple(moment, moment), { maxLength: 4 }),
  })
  .map(({ times: [a, b], open, gaps }): IncidentTimes => {
    const [from, to] = [Math.min(a, b), Math.max(a, b)]
    return {
      started_at: new Date(from),
      ended_at: open ? null : new Date(to),
      watched_until: new Date(to),
      gaps: gaps.map(([c, d]) => ({
        started_at: new Date(Math.min(c, d)),
        ended_at: new Date(Math.max(c, d)),
      })),
    }
  })
const someIncidents = fc.array(anyIncident, { maxLength: 6 })

describe('downtime of arbitrary incidents', () => {
  test('adds up over the days of a range', () => {
    fc.assert(
      fc.property(someIncidents, fc.tuple(fc.nat(60), fc.nat(60)), (incidents, [a, b]) => {
        const days = daysFrom(dayAfter('2026-10-01', Math.min(a, b)), dayAfter('2026-10-01', Math.max(a, b)))
        const spans = computeDownSpans(incidents)
        const whole = {
          from: spanOf(days.at(0) ?? '').from,
          to: spanOf(days.at(-1) ?? '').to,
        }
        const sum = days.reduce((seconds, day) => seconds + overlapSeconds(spans, spanOf(day)), 0)
        expect(sum).toBe(overlapSeconds(spans, whole))
      }),
    )
  })

  test("is a whole number between zero and its day's length", () => {
    fc.assert(
      fc.property(someIncidents, fc.nat(60), (incidents, ahead) => {
        const day = spanOf(dayAfter('2026-10-01', ahead))
        const seconds = overlapSeconds(computeDownSpans(incidents), day)
        expect(seconds).toBeGreaterThanOrEqual(0)
        expect(seconds).toBeLessThanOrEqual((day.to - day.from) / 1000)
        expect(Number.isInteger(seconds)).toBe(true)
      }),
    )
  })

  test('never grows because of a gap', () => {
    const all = { from: -Infinity, to: Infinity }
    fc.assert(
      fc.property(someIncidents, (incidents) => {
        const withoutGaps = incidents.map((one) => ({ ...one, gaps: [] }))
        expect(overlapSeconds(computeDownSpans(incidents), all)).toBeLessThanOrEqual(
          overlapSeconds(computeDownSpans(withoutGaps), all),
        )
      }),
    )
  })

  test('of a flapping web is that of its failures, whether its incident is open or has ended', () => {
    const failures = fc
      .uniqueArray(moment, { minLength: 2, maxLength: 12 })
      .map((times) => times.toSorted((a, b) => a - b).map((time) => new Date(time)))
      .map((times) => (times.length % 2 === 0 ? times : times.slice(1)))
    fc.assert(
      fc.property(failures, fc.boolean(), (times, isOpen) => {
        const spans = Array.from({ length: times.length / 2 }, (_, index) => ({
          started_at: times[2 * index] ?? new Date(0),
          ended_at: times[2 * index + 1] ?? new Date(0),
        }))
        const single = spans.map((span) => ({ ...span, watched_until: span.ended_at, gaps: [] }))
        const last = spans.at(-1)?.ended_at ?? null
        const flapping: IncidentTimes = {
          started_at: spans[0]?.started_at ?? new Date(0),
          ended_at: isOpen ? null : last,
          calm_since: last,
          // The round of the last failure may end after the web has answered.
          watched_until: new Date((last?.getTime() ?? 0) + 60_000),
          gaps: spans.slice(1).map(({ started_at }, index) => ({
            started_at: spans[index]?.ended_at ?? new Date(0),
            ended_at: started_at,
          })),
        }
        expect(computeDownSpans([flapping])).toEqual(computeDownSpans(single))
      }),
    )
  })
})

describe('planned downtime', () => {
  const planned = (from: string, to: string) => ({ started_at: at(from), ended_at: at(to) })
  const secondsOf = (...windows: ReturnType<typeof planned>[]) => {
    const down = incident('2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z', {
      gaps: [planned('2026-11-20T10:20:00Z', '2026-11-20T10:30:00Z')],
    })
    return overlapSeconds(computePlannedSpans([{ ...down, planned: windows }]), spanOf('2026-11-20'))
  }

  test('counts windows that overlap once, and no time that was not monitored', () => {
    expect(secondsOf()).toBe(0)
    expect(secondsOf(planned('2026-11-20T10:10:00Z', '2026-11-20T10:40:00Z'))).toBe(1200)
    expect(
      secondsOf(
        planned('2026-11-20T10:10:00Z', '2026-11-20T10:40:00Z'),
        planned('2026-11-20T10:35:00Z', '2026-11-20T10:50:00Z'),
      ),
    ).toBe(1800)
  })

  test('is never more than the downtime', () => {
    const minute = fc.nat(180)
    const span = fc.tuple(minute, minute).map(([a, b]) => {
      const from = Date.parse('2026-11-20T09:00:00Z')
      return {
        started_at: new Date(from + Math.min(a, b) * 60_000),
        ended_at: new Date(from + Math.max(a, b) * 60_000),
      }
    })
    fc.assert(
      fc.property(span, fc.array(span), fc.array(span), (whole, gaps, windows) => {
        const one = { ...whole, watched_until: whole.ended_at, gaps, planned: windows }
        const day = spanOf('2026-11-20')
        const down = overlapSeconds(computeDownSpans([one]), day)
        expect(overlapSeconds(computePlannedSpans([one]), day)).toBeLessThanOrEqual(down)
        const always = [{ started_at: whole.started_at, ended_at: whole.ended_at }, ...windows]
        expect(overlapSeconds(computePlannedSpans([{ ...one, planned: always }]), day)).toBe(down)
      }),
    )
  })
})
