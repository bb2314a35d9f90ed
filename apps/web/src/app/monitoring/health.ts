import type { MonitoringState } from '@kustos/contract/monitoring'

/**
 * Whether what monitoring says can be believed. never: there was no round yet; late: nobody probes; unknown: every
 * probe of the latest round failed.
 */
export type Health = 'good' | 'never' | 'late' | 'unknown'

/** So many rounds may be missing before somebody should look. */
const intervals = 3
/** A round is told of once it has ended and its failures were confirmed, in milliseconds. */
const judging = 30_000

/** @param now in milliseconds */
export function healthOf({ last_round: last, interval }: MonitoringState, now: number): Health {
  if (last === null) return 'never'
  if (now - Date.parse(last.started_at) > intervals * interval * 1000 + judging) return 'late'
  return last.state === 'unknown' ? 'unknown' : 'good'
}
