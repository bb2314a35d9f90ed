import { confirmationMs, type MonitoringState, maxMissingRounds } from '@kustos/contract/monitoring'

/**
 * Whether monitoring data can be trusted. never: no round yet; late: rounds are missing; unknown: all probes of the latest round failed;
 * unprobed: it has none.
 */
export type Health = 'good' | 'never' | 'late' | 'unknown' | 'unprobed'

/** @param now in milliseconds */
export function healthOf({ last_round: last, interval }: MonitoringState, now: number): Health {
  if (last === null) return 'never'
  if (now - Date.parse(last.started_at) > maxMissingRounds * interval * 1000 + confirmationMs) return 'late'
  if (last.state === 'known') return 'good'
  return last.probes === 0 ? 'unprobed' : 'unknown'
}
