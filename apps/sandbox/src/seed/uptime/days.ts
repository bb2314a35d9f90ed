import type { uptimeDays } from '@kustos/database/tables'
import { computeDownSpans, overlapSeconds, uptimeDay } from '@kustos/domain/monitoring'
import { type MonitoredWeb, probeOffsetMs, type SeedIncident } from './incidents.ts'
import { countRounds, intervalMs, type Period } from './period.ts'
import { createResponseTimes } from './response-times.ts'

export function createUptimeDays(
  web: MonitoredWeb,
  incidents: readonly SeedIncident[],
  period: Period,
): (typeof uptimeDays.$inferInsert)[] {
  const responseTimes = createResponseTimes(web.host, 'days')
  const offset = probeOffsetMs(web.host)
  const spans = computeDownSpans(incidents)
  const failedRounds = incidents.map(({ started_at, ended_at }) => ({
    from: started_at.getTime() - offset,
    to: ended_at === null ? period.until : ended_at.getTime() - offset,
  }))
  return period.days
    .filter(({ from }) => from >= web.since)
    .map(({ day, from, to }) => {
      const checks = countRounds(period, { from, to })
      const failures = failedRounds.reduce(
        (sum, failed) =>
          sum + countRounds(period, { from: Math.max(from, failed.from), to: Math.min(to, failed.to) }),
        0,
      )
      const responses = responseTimes.ofDay()
      const counts = {
        known: (checks * intervalMs) / 1000,
        checks,
        failures,
        degraded: 0,
        ...(failures < checks ? responses : { response_ms: null, response_p95_ms: null }),
      }
      return uptimeDay(web.id, day, counts, { downtime: overlapSeconds(spans, { from, to }) })
    })
}
