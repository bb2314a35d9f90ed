import { formatTime, romeOffsetMs } from '@kustos/contract/grid'
import type { UptimeDay } from '@kustos/contract/monitoring'

const length = 24 * 3_600_000

/** The date in Europe/Rome as YYYY-MM-DD. @param now in milliseconds */
export const dayOf = (now: number): string =>
  formatTime(new Date(now).toISOString()).slice(0, 10).replaceAll('/', '-')

/** @param day YYYY-MM-DD @param count may be negative */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * length).toISOString().slice(0, 10)

/** The same day some months earlier, or the last day of that month. */
export function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  // Day 0 of a month is the last day of the previous one.
  const last = new Date(Date.UTC(year, month - months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 - months, Math.min(date, last))).toISOString().slice(0, 10)
}

/** Six months back to today (specification, section 9). */
export function uptimeWindow(now: number): { readonly begin: string; readonly end: string } {
  const end = dayOf(now)
  return { begin: monthsBefore(end, 6), end }
}

/** The start of a day in Europe/Rome, whose clocks never change at midnight. */
function midnightMs(day: string): number {
  const utc = Date.parse(`${day}T00:00:00Z`)
  return utc - romeOffsetMs(utc)
}

/** The elapsed seconds of a day: 23 or 25 hours when the clocks change, less for today. */
export function passedSeconds(day: string, now: number): number {
  const beginMs = midnightMs(day)
  return Math.max(0, Math.min(now, midnightMs(addDays(day, 1))) - beginMs) / 1000
}

/** A day; `known` is null without records. */
export interface WindowDay {
  readonly date: string
  readonly known: UptimeDay | null
}

/** Every day from `begin` to `end`. */
export function windowDays(begin: string, end: string, days: readonly UptimeDay[]): readonly WindowDay[] {
  const byDate = new Map(days.map((day) => [day.date, day]))
  const all: WindowDay[] = []
  for (let date = begin; date <= end; date = addDays(date, 1))
    all.push({ date, known: byDate.get(date) ?? null })
  return all
}
