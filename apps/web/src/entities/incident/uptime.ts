import type { UptimeDay } from '@kustos/contract/monitoring'
import { addDays, dayOf, passedSeconds } from './days.ts'

export const uptimeWindowsDays = [7, 30, 90, 182] as const

/**
 * The share of the monitored time in which the web was up. Planned downtime counts as up.
 * @param count the number of last days, including today
 * @param now in milliseconds
 * @returns percent; null if nothing was monitored
 */
export function calculateUptime(count: number, days: readonly UptimeDay[], now: number): number | null {
  const today = dayOf(now)
  const first = addDays(today, 1 - count)
  let monitored = 0
  let down = 0
  for (const { date, downtime, planned, unknown } of days) {
    if (date < first || date > today) continue
    const known = Math.max(0, passedSeconds(date, now) - unknown)
    monitored += known
    // An incident may have begun before monitoring resumed.
    down += Math.min(downtime - planned, known)
  }
  if (monitored <= 0) return null
  return 100 * (1 - down / monitored)
}

/** A percentage such as "99.98 %", rounded down so that a second of downtime is not 100; "–" for null. */
export function percentText(percent: number | null, language: string): string {
  if (percent === null) return '–'
  const cut = Math.floor(percent * 100 + 1e-7) / 100
  const digits = cut === 100 ? 0 : 2
  return `${cut.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits })} %`
}

/** planned: only planned downtime; some: at most 1 % of the monitored time down without it; much: more; most: half or more. */
export type DayLevel = 'up' | 'planned' | 'some' | 'much' | 'most' | 'unknown'

const muchBelow = 99
const mostUpTo = 50

export function levelOf(day: UptimeDay | null): DayLevel {
  if (day === null || day.uptime === null) return 'unknown'
  if (day.downtime === 0) return 'up'
  if (day.downtime === day.planned) return 'planned'
  if (day.uptime <= mostUpTo) return 'most'
  return day.uptime < muchBelow ? 'much' : 'some'
}
