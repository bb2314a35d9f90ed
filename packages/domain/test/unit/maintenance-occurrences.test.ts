import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  nextOccurrence,
  type Occurrence,
  occurrencesWithin,
  type Schedule,
} from '../../src/maintenance/occurrences.ts'

const none = { starts_at: null, ends_at: null, weekdays: [], month_days: [], first_day: null, last_day: null }
const weekly = (start_time: string, duration_minutes: number, more: Partial<Schedule> = {}): Schedule => ({
  ...none,
  repeats: 'weekly',
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  start_time,
  duration_minutes,
  ...more,
})
const monthly = (month_days: number[], more: Partial<Schedule> = {}): Schedule => ({
  ...weekly('22:30', 90, more),
  repeats: 'monthly',
  weekdays: [],
  month_days,
})
const iso = ({ starts_at, ends_at }: Occurrence) => [starts_at.toISOString(), ends_at.toISOString()]
const within = (schedule: Schedule, from: string, to: string) =>
  occurrencesWithin(schedule, new Date(from), new Date(to)).map(iso)

describe('occurrences', () => {
  test.each([
    ['before the clocks go forward', '01:30', 30, '2026-03-29T00:30:00.000Z', '2026-03-29T01:00:00.000Z'],
    ['over the change forward', '01:30', 120, '2026-03-29T00:30:00.000Z', '2026-03-29T02:30:00.000Z'],
    ['that the clocks skip', '02:30', 60, '2026-03-29T01:30:00.000Z', '2026-03-29T02:30:00.000Z'],
    ['after the change forward', '03:00', 60, '2026-03-29T01:00:00.000Z', '2026-03-29T02:00:00.000Z'],
    ['over the change back', '01:30', 120, '2026-10-24T23:30:00.000Z', '2026-10-25T01:30:00.000Z'],
    ['that occur twice', '02:30', 60, '2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'],
    ['after the change back', '03:00', 60, '2026-10-25T02:00:00.000Z', '2026-10-25T03:00:00.000Z'],
  ])('begin at the local time and last as long as planned %s', (_, time, minutes, starts, ends) => {
    const sunday = weekly(time, minutes, { weekdays: [7] })
    expect(within(sunday, starts, ends)).toEqual([[starts, ends]])
  })

  test('are those of the weekdays from the first to the last day', () => {
    const schedule = weekly('22:00', 60, {
      weekdays: [1, 3],
      first_day: '2026-11-18',
      last_day: '2026-11-25',
    })
    expect(within(schedule, '2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z').map(([start]) => start)).toEqual([
      '2026-11-18T21:00:00.000Z',
      '2026-11-23T21:00:00.000Z',
      '2026-11-25T21:00:00.000Z',
    ])
    expect(nextOccurrence(schedule, new Date('2026-11-25T21:00:00Z'))).toBeNull()
  })

  test('are on the last day of a month that lacks the day, once', () => {
    expect(within(monthly([30, 31]), '2026-02-01T00:00:00Z', '2026-03-31T23:00:00Z')).toEqual([
      ['2026-02-28T21:30:00.000Z', '2026-02-28T23:00:00.000Z'],
      ['2026-03-30T20:30:00.000Z', '2026-03-30T22:00:00.000Z'],
      ['2026-03-31T20:30:00.000Z', '2026-03-31T22:00:00.000Z'],
    ])
  })

  test('that began days before count while they run', () => {
    const long = weekly('12:00', 3 * 1440, { weekdays: [1] })
    expect(within(long, '2026-11-19T10:00:00Z', '2026-11-19T10:01:00Z')).toEqual([
      ['2026-11-16T11:00:00.000Z', '2026-11-19T11:00:00.000Z'],
    ])
    expect(within(long, '2026-11-19T11:00:00Z', '2026-11-19T11:01:00Z')).toEqual([])
  })

  test('of a window that takes place once are its times', () => {
    const once: Schedule = {
      ...none,
      repeats: 'once',
      start_time: null,
      duration_minutes: null,
      starts_at: new Date('2026-11-20T10:00:00Z'),
      ends_at: new Date('2026-11-20T11:00:00Z'),
    }
    expect(within(once, '2026-11-20T10:59:00Z', '2026-11-21T00:00:00Z')).toHaveLength(1)
    expect(within(once, '2026-11-20T11:00:00Z', '2026-11-21T00:00:00Z')).toEqual([])
    expect(nextOccurrence(once, new Date('2026-11-20T09:59:59Z'))?.starts_at).toEqual(once.starts_at)
    expect(nextOccurrence(once, new Date('2026-11-20T10:00:00Z'))).toBeNull()
  })
})

const rome = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Rome',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
})
/** Day of the month and time of day, as clocks in Rome show them. */
const shownInRome = (at: Date) => rome.format(at).replace(', ', ' ')

test.each([
  ['forward', '2026-03-28T12:00:00Z', '29'],
  ['back', '2026-10-24T12:00:00Z', '25'],
])('the day on which the clocks go %s has each window once, to the minute', (_, noonBefore, day) => {
  const from = new Date(noonBefore)
  const to = new Date(from.getTime() + 48 * 3_600_000)
  fc.assert(
    fc.property(fc.nat(1439), fc.integer({ min: 1, max: 1440 }), (minute, duration) => {
      const hour = String(Math.floor(minute / 60)).padStart(2, '0')
      const rest = String(minute % 60).padStart(2, '0')
      const onDay = occurrencesWithin(weekly(`${hour}:${rest}`, duration), from, to).filter(({ starts_at }) =>
        shownInRome(starts_at).startsWith(`${day} `),
      )
      expect(onDay).toHaveLength(1)
      const [{ starts_at, ends_at }] = onDay as [Occurrence]
      expect(ends_at.getTime() - starts_at.getTime()).toBe(duration * 60_000)
      const isSkipped = day === '29' && hour === '02'
      expect(shownInRome(starts_at)).toBe(`${day} ${isSkipped ? '03' : hour}:${rest}`)
      // Of the hour that occurs twice the first one counts.
      if (day === '25' && hour === '02') expect(starts_at < new Date('2026-10-25T01:00:00Z')).toBe(true)
    }),
  )
})
