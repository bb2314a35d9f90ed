import type { UptimeDay } from '@kustos/contract/monitoring'
import { Card } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { dateText } from '../../entities/incident/day-text.ts'
import { addDays, dayOf } from '../../entities/incident/days.ts'
import styles from '../../entities/incident/uptime.module.css'
import { calculateUptime, percentText, uptimeWindowsDays } from '../../entities/incident/uptime.ts'

interface Props {
  readonly days: readonly UptimeDay[]
  readonly now: number
}

export function UptimeSummary({ days, now }: Props) {
  const { t, i18n } = useTranslation()
  const today = dayOf(now)
  const since = days.find(({ uptime }) => uptime !== null)?.date
  return (
    <Card p={0}>
      <dl className={styles.summary}>
        {uptimeWindowsDays.map((count) => (
          <div key={count}>
            <dt>{t('monitoring.uptime.share', { count })}</dt>
            <dd>
              {percentText(calculateUptime(count, days, now), i18n.language)}
              {since !== undefined && since > addDays(today, 1 - count) && (
                <span className={styles.since}>
                  {t('monitoring.uptime.shareSince', { date: dateText(since) })}
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
