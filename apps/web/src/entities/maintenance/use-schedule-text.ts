import { formatTime } from '@kustos/contract/grid'
import type { MaintenanceWindow } from '@kustos/contract/maintenance'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '../../ui/times.ts'

/** 2026-01-05 is a Monday. */
const weekdayDate = (day: number) => Date.UTC(2026, 0, 4 + day)

/** The names of weekdays, of which 1 is Monday. */
export function useWeekdayName(weekday: 'short' | 'long'): (day: number) => string {
  const { i18n } = useTranslation()
  const format = new Intl.DateTimeFormat(i18n.language, { weekday, timeZone: 'UTC' })
  return (day) => format.format(weekdayDate(day))
}

/** Says when a window takes place: "Mon and Wed at 22:00 for 2 h", "2026/11/20 22:00 – 23:00". */
export function useScheduleText(): (window: MaintenanceWindow) => string {
  const { t, i18n } = useTranslation()
  const weekdayName = useWeekdayName('short')
  const list = new Intl.ListFormat(i18n.language)
  return ({ repeats, starts_at, ends_at, weekdays, month_days, start_time, duration_minutes }) => {
    if (repeats === 'once') {
      const [start, end] = [formatTime(starts_at ?? '').slice(0, 16), formatTime(ends_at ?? '').slice(0, 16)]
      return `${start} – ${start.slice(0, 10) === end.slice(0, 10) ? end.slice(11) : end}`
    }
    const times = { time: start_time ?? '', duration: formatDuration((duration_minutes ?? 0) * 60, t) }
    return repeats === 'weekly'
      ? t('maintenance.schedule.weekly', { days: list.format(weekdays.map(weekdayName)), ...times })
      : t('maintenance.schedule.monthly', {
          count: month_days.length,
          days: list.format(month_days.map((day) => t('maintenance.schedule.monthDay', { day }))),
          ...times,
        })
  }
}
