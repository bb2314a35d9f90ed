import type { AlertRoute } from '@kustos/contract/alert-routes'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '../../ui/times.ts'
import { useWeekdayName } from '../maintenance/use-schedule-text.ts'

/** What alerts a route is for, such as "ALPEN, down, Sat, Sun 18:00 – 08:00". */
export function useConditionText(): (route: AlertRoute) => string {
  const { t, i18n } = useTranslation()
  const weekdayName = useWeekdayName('short')
  const list = new Intl.ListFormat(i18n.language, { type: 'disjunction' })
  return ({ customers, tags, nodes, severities, weekdays, from_time: from, to_time: to }) => {
    const time =
      from === null || to === null
        ? ''
        : t(from < to ? 'alertRoutes.during' : 'alertRoutes.overMidnight', { from, to })
    const days = list.format(weekdays.map(weekdayName))
    const parts = [
      ...[customers, tags, nodes].map((names) => list.format(names)),
      list.format(severities.map((severity) => t(`alertRoutes.severities.${severity}`))),
      [days, time].filter(Boolean).join(' '),
    ].filter(Boolean)
    return parts.length === 0 ? t('alertRoutes.everything') : parts.join(' · ')
  }
}

/** When a step is due. @param minutes since the step before */
export function useStepText(): (index: number, minutes: number) => string {
  const { t } = useTranslation()
  return (index, minutes) =>
    index === 0
      ? t('alertRoutes.step.first')
      : t('alertRoutes.step.after', { length: formatDuration(minutes * 60, t) })
}
