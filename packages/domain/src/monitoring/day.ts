import { Temporal } from 'temporal-polyfill'

/** Where the agency's days begin. */
const zone = 'Europe/Rome'

/** A day of Europe/Rome, as YYYY-MM-DD. */
export type Day = string

/** A period between two Unix times in milliseconds; `to` is exclusive. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** From midnight to midnight: 23 or 25 hours when the clocks change. */
export const spanOf = (day: Day): Span => ({ from: midnightOf(day), to: midnightOf(dayAfter(day, 1)) })

/** Cached, since half a year is computed again and again and the rules of a time zone are slow to apply. */
const midnights = new Map<Day, number>()

function midnightOf(day: Day): number {
  const known = midnights.get(day)
  if (known !== undefined) return known
  const { epochMilliseconds } = Temporal.PlainDate.from(day).toZonedDateTime(zone)
  if (midnights.size >= 5_000) midnights.clear()
  midnights.set(day, epochMilliseconds)
  return epochMilliseconds
}

export const dayOf = (at: Date): Day =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDate().toString()

/** The Unix time in milliseconds at which an hour of a day begins. An hour that the clocks skip begins an hour later. */
const hourOf = (day: Day, hour: number): number =>
  Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone, plainTime: { hour } }).epochMilliseconds

/** From 1 to 5 o'clock on the day of a time, when webs and nodes are re-read. */
export function nightOf(at: Date): Span {
  const day = dayOf(at)
  return { from: hourOf(day, 1), to: hourOf(day, 5) }
}

/** @param days may be negative */
export const dayAfter = (day: Day, days: number): Day =>
  new Date(Date.parse(day) + days * 24 * 3_600_000).toISOString().slice(0, 10)

/** Both inclusive; empty if `end` is before `begin`. */
export function daysFrom(begin: Day, end: Day): Day[] {
  const days: Day[] = []
  for (let day = begin; day <= end; day = dayAfter(day, 1)) days.push(day)
  return days
}
