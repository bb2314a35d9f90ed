import type { NewMaintenanceWindow } from '@kustos/contract/maintenance'
import { type Day, dayAfter, dayAt, timeOf, weekdayOf } from '../platform/local-time.ts'

const minuteMs = 60_000

/** When a window takes place. Fields that do not belong to `repeats` are null or empty. */
export type Schedule = Omit<
  Pick<
    NewMaintenanceWindow,
    | 'repeats'
    | 'starts_at'
    | 'ends_at'
    | 'weekdays'
    | 'month_days'
    | 'start_time'
    | 'duration_minutes'
    | 'first_day'
    | 'last_day'
  >,
  'starts_at' | 'ends_at'
> & { readonly starts_at: Date | null; readonly ends_at: Date | null }

export interface Occurrence {
  readonly starts_at: Date
  readonly ends_at: Date
}

/** The occurrences that overlap a period, in the order of their starts. */
export function occurrencesWithin(schedule: Schedule, from: Date, to: Date): Occurrence[] {
  const first = dayAt(from.getTime() - (schedule.duration_minutes ?? 0) * minuteMs)
  return [...occurrencesFrom(schedule, first, dayAt(to.getTime()))].filter(
    ({ starts_at, ends_at }) => starts_at < to && ends_at > from,
  )
}

/** Longer than any month, which each has a matching day. */
const searchedDays = 35

/** The first occurrence that begins after a time; null if there is none. */
export function nextOccurrence(schedule: Schedule, after: Date): Occurrence | null {
  const today = dayAt(after.getTime())
  const first = schedule.first_day === null || schedule.first_day < today ? today : schedule.first_day
  for (const occurrence of occurrencesFrom(schedule, first, dayAfter(first, searchedDays)))
    if (occurrence.starts_at > after) return occurrence
  return null
}

/** Those that begin on these days, of which the last one is included; a single one in any case. */
function* occurrencesFrom(schedule: Schedule, first: Day, last: Day): Generator<Occurrence> {
  const { repeats, starts_at, ends_at, first_day, last_day } = schedule
  if (repeats === 'once') {
    if (starts_at !== null && ends_at !== null) yield { starts_at, ends_at }
    return
  }
  const end = last_day === null || last < last_day ? last : last_day
  const begin = first_day === null || first_day < first ? first : first_day
  for (let day = begin; day <= end; day = dayAfter(day, 1))
    if (isDayOf(schedule, day)) yield occurrenceOn(day, schedule)
}

function isDayOf({ repeats, weekdays, month_days }: Schedule, day: Day): boolean {
  if (repeats === 'weekly') return weekdays.includes(weekdayOf(day))
  const ofMonth = Number(day.slice(8))
  const isLastOfMonth = dayAfter(day, 1).endsWith('-01')
  return month_days.some((wanted) => wanted === ofMonth || (isLastOfMonth && wanted > ofMonth))
}

/** It lasts as long as planned, also when the clocks change meanwhile. */
function occurrenceOn(day: Day, { start_time, duration_minutes }: Schedule): Occurrence {
  const start = timeOf(day, start_time ?? '00:00')
  return { starts_at: new Date(start), ends_at: new Date(start + (duration_minutes ?? 0) * minuteMs) }
}
