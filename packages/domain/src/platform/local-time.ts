import { Temporal } from 'temporal-polyfill'

const zone = 'Europe/Rome'
const dayMs = 24 * 3_600_000

/** A day as YYYY-MM-DD. */
export type Day = string

const localAt = (at: number) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)

/** The day in Europe/Rome. @param at in milliseconds since 1970 */
export const dayAt = (at: number): Day => localAt(at).toPlainDate().toString()

/** What clocks in Europe/Rome show, as HH:MM. @param at in milliseconds since 1970 */
export const clockAt = (at: number): string => localAt(at).toPlainTime().toString().slice(0, 5)

export const dayAfter = (day: Day, days: number): Day =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

/** 1 is Monday. */
export const weekdayOf = (day: Day): number => new Date(Date.parse(day)).getUTCDay() || 7

/** How many days later `to` is. */
export const daysBetween = (from: Day, to: Day): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs)

/** Cached, since much begins at the same times and the rules of a time zone are slow to apply. */
const times = new Map<string, number>()

/**
 * A local time of Europe/Rome in milliseconds since 1970. One that the clocks skip is an hour later, of one that occurs twice the
 * first counts, as in iCalendar (RFC 5545, 3.3.5).
 * @param clock as HH:MM
 */
export function timeOf(day: Day, clock: string): number {
  const local = `${day}T${clock}`
  const known = times.get(local)
  if (known !== undefined) return known
  const { epochMilliseconds } = Temporal.PlainDateTime.from(local).toZonedDateTime(zone)
  if (times.size >= 5_000) times.clear()
  times.set(local, epochMilliseconds)
  return epochMilliseconds
}
