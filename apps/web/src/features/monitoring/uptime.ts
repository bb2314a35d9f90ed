import type { UptimeDay } from '@kustos/contract/monitoring'
import { addDays, dayOf, passedSeconds } from './days.ts'

/** The spans that the uptime page sums up, in days. */
export const spans = [7, 30, 90, 182] as const

/**
 * Uptime over the last days, today included: the share of the watched time in which the web was not down.
 * @param now in milliseconds
 * @returns in percent; null where nobody watched
 */
export function uptimeOver(count: number, days: readonly UptimeDay[], now: number): number | null {
  const today = dayOf(now)
  const first = addDays(today, 1 - count)
  let watched = 0
  let down = 0
  for (const { date, downtime, unknown } of days) {
    if (date < first || date > today) continue
    const known = Math.max(0, passedSeconds(date, now) - unknown)
    watched += known
    // An incident may have begun on a day before anybody watched it again.
    down += Math.min(downtime, known)
  }
  if (watched <= 0) return null
  return 100 * (1 - down / watched)
}

/**
 * A share as text, such as "99.98 %". It is cut and not rounded: what was down for a second is not at 100.
 * @param percent null is said as a dash
 */
export function percentText(percent: number | null, language: string): string {
  if (percent === null) return '–'
  const cut = Math.floor(percent * 100 + 1e-7) / 100
  const digits = cut === 100 ? 0 : 2
  return `${cut.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits })} %`
}

/** How a day went. `some` is down for at most a hundredth of the watched time, `much` for more, `most` for half of it. */
export type DayLevel = 'up' | 'some' | 'much' | 'most' | 'unknown'

const muchBelow = 99
const mostUpTo = 50

export function levelOf(day: UptimeDay | null): DayLevel {
  if (day === null || day.uptime === null) return 'unknown'
  if (day.downtime === 0) return 'up'
  if (day.uptime <= mostUpTo) return 'most'
  return day.uptime < muchBelow ? 'much' : 'some'
}
