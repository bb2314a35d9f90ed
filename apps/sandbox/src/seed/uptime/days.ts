import type { uptimeDays } from '@kustos/database/tables'
import { downSpans, secondsWithin, uptimeDay } from '@kustos/domain/monitoring'
import { paceOf } from './answers.ts'
import { type Frame, interval, roundsWithin } from './frame.ts'
import { offsetOf, type SeedIncident, type WatchedWeb } from './incidents.ts'

/** A web's days as the roll-up would have kept them. */
export function daysOf(
  web: WatchedWeb,
  incidents: readonly SeedIncident[],
  frame: Frame,
): (typeof uptimeDays.$inferInsert)[] {
  const pace = paceOf(web.host, 'days')
  const offset = offsetOf(web.host)
  const spans = downSpans(incidents)
  const rounds = incidents.map(({ started_at, ended_at }) => ({
    from: started_at.getTime() - offset,
    to: ended_at === null ? frame.until : ended_at.getTime() - offset,
  }))
  return frame.days
    .filter(({ from }) => from >= web.since)
    .map(({ day, from, to }) => {
      const checks = roundsWithin(frame, { from, to })
      const failures = rounds.reduce(
        (sum, failed) =>
          sum + roundsWithin(frame, { from: Math.max(from, failed.from), to: Math.min(to, failed.to) }),
        0,
      )
      const answered = pace.day()
      const counts = {
        known: (checks * interval) / 1000,
        checks,
        failures,
        ...(failures < checks ? answered : { response_ms: null, response_p95_ms: null }),
      }
      return uptimeDay(web.id, day, counts, secondsWithin(spans, { from, to }))
    })
}
