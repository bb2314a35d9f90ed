import { romeOffsetMs } from '@kustos/contract/grid'
import type { LogPeriod } from '@kustos/contract/logs'

const dayMs = 24 * 3_600_000

/** When a period that ends now has begun: at midnight in Europe/Rome. */
export function startOfPeriod(period: LogPeriod, now: Date): Date {
  const today = Math.floor((now.getTime() + romeOffsetMs(now.getTime())) / dayMs)
  // The first of January 1970 was a Thursday.
  const daysSinceMonday = (today + 3) % 7
  const daysAgo = { today: 0, week: daysSinceMonday, '30days': 30 }[period]
  const midnight = (today - daysAgo) * dayMs
  return new Date(midnight - romeOffsetMs(midnight - romeOffsetMs(midnight)))
}
