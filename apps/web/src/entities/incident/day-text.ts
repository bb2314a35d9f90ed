import type { UptimeDay } from '@kustos/contract/monitoring'
import type { TFunction } from 'i18next'
import { formatDuration } from '../../ui/times.ts'
import { percentText } from './uptime.ts'

/** 2026-11-20 as 2026/11/20. */
export const dateText = (date: string): string => date.replaceAll('-', '/')

export type DayFact =
  | 'uptime'
  | 'downtime'
  | 'planned'
  | 'checks'
  | 'failures'
  | 'degraded'
  | 'median'
  | 'p95'
  | 'unknown'

/** A day's figures as text; "–" if unknown. */
export function dayFacts(day: UptimeDay, t: TFunction, language: string): Readonly<Record<DayFact, string>> {
  const count = (number: number) => number.toLocaleString(language)
  const milliseconds = (number: number | null) => (number === null ? '–' : `${count(number)} ms`)
  const isMonitored = day.uptime !== null
  return {
    uptime: percentText(day.uptime, language),
    downtime: isMonitored ? formatDuration(day.downtime, t) : '–',
    planned: day.planned === 0 ? '–' : formatDuration(day.planned, t),
    checks: count(day.checks),
    failures: count(day.failures),
    degraded: day.degraded === 0 ? '–' : count(day.degraded),
    median: milliseconds(day.response_time_ms),
    p95: milliseconds(day.response_time_p95_ms),
    unknown: day.unknown === 0 ? '–' : formatDuration(day.unknown, t),
  }
}

/** The known figures as lines such as "Downtime: 12 min 5 s". */
export function dayLines(day: UptimeDay | null, t: TFunction, language: string): readonly string[] {
  if (day === null || (day.uptime === null && day.checks === 0)) return [t('monitoring.uptime.day.nothing')]
  const facts = dayFacts(day, t, language)
  const names = Object.keys(facts) as DayFact[]
  return names
    .filter((name) => facts[name] !== '–' && (name !== 'failures' || day.failures > 0))
    .map((name) => `${t(`monitoring.uptime.day.${name}`)}: ${facts[name]}`)
}
