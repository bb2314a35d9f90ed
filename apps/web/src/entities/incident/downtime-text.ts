import type { TFunction } from 'i18next'
import { formatDuration } from '../../ui/times.ts'

/** Seconds of downtime as a text that says how much of it was planned. */
export function downtimeText(
  { downtime, planned }: { readonly downtime: number; readonly planned: number },
  t: TFunction,
): string {
  const duration = formatDuration(downtime, t)
  if (planned === 0) return duration
  return planned >= downtime
    ? t('monitoring.uptime.incidents.allPlanned', { duration })
    : t('monitoring.uptime.incidents.planned', { duration, planned: formatDuration(planned, t) })
}
