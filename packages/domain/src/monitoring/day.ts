import { Temporal } from 'temporal-polyfill'

/** Where the agency's days begin. */
const zone = 'Europe/Rome'

/** A day of Europe/Rome, as YYYY-MM-DD. */
export type Day = string

/** A stretch of time in milliseconds since 1970; `to` is no part of it. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** From midnight to midnight: 23 or 25 hours where the clocks change. */
export function spanOf(day: Day): Span {
  const date = Temporal.PlainDate.from(day)
  const midnight = (at: Temporal.PlainDate) => at.toZonedDateTime(zone).epochMilliseconds
  return { from: midnight(date), to: midnight(date.add({ days: 1 })) }
}

export const dayOf = (at: Date): Day =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDate().toString()

/** @param days may be negative */
export const dayAfter = (day: Day, days: number): Day => Temporal.PlainDate.from(day).add({ days }).toString()

/** Both included; none where `end` lies before `begin`. */
export function daysFrom(begin: Day, end: Day): Day[] {
  const days: Day[] = []
  for (let day = begin; day <= end; day = dayAfter(day, 1)) days.push(day)
  return days
}
