import { formatTime, romeOffset } from '@kustos/contract/grid'
import type { UptimeDay } from '@kustos/contract/monitoring'

const length = 24 * 3_600_000

/** The day of Europe/Rome that a moment lies in, as YYYY-MM-DD. @param now in milliseconds */
export const dayOf = (now: number): string =>
  formatTime(new Date(now).toISOString()).slice(0, 10).replaceAll('/', '-')

/** @param day as YYYY-MM-DD; `count` may be negative */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * length).toISOString().slice(0, 10)

/** The same day of the month some months before; the month's last where it has no such day. */
export function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  // The day 0 of a month is the last of the one before.
  const last = new Date(Date.UTC(year, month - months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 - months, Math.min(date, last))).toISOString().slice(0, 10)
}

/** The window of the uptime page: six months back to today (specification, section 9). */
export function uptimeWindow(now: number): { readonly begin: string; readonly end: string } {
  const end = dayOf(now)
  return { begin: monthsBefore(end, 6), end }
}

/** When a day of Europe/Rome begins, in milliseconds. Its clocks never change at midnight. */
function midnight(day: string): number {
  const utc = Date.parse(`${day}T00:00:00Z`)
  return utc - romeOffset(utc)
}

/** How long a day has lasted so far, in seconds: 23 or 25 hours where the clocks change, less for today. */
export function passedSeconds(day: string, now: number): number {
  const begin = midnight(day)
  return Math.max(0, Math.min(now, midnight(addDays(day, 1))) - begin) / 1000
}

/** A day of the window; `known` is null where nothing was recorded. */
export interface WindowDay {
  readonly date: string
  readonly known: UptimeDay | null
}

/** Every day from begin to end, with what is known of it. */
export function windowDays(begin: string, end: string, days: readonly UptimeDay[]): readonly WindowDay[] {
  const byDate = new Map(days.map((day) => [day.date, day]))
  const all: WindowDay[] = []
  for (let date = begin; date <= end; date = addDays(date, 1))
    all.push({ date, known: byDate.get(date) ?? null })
  return all
}
