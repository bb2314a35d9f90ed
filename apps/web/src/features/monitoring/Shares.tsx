import type { UptimeDay } from '@kustos/contract/monitoring'
import { Card } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import styles from './uptime.module.css'
import { percentText, spans, uptimeOver } from './uptime.ts'

interface Props {
  readonly days: readonly UptimeDay[]
  /** In milliseconds. */
  readonly now: number
}

/** Uptime in percent over some spans. */
export function Shares({ days, now }: Props) {
  const { t, i18n } = useTranslation()
  return (
    <Card p={0}>
      <dl className={styles.shares}>
        {spans.map((count) => (
          <div key={count}>
            <dt>{t('monitoring.uptime.share', { count })}</dt>
            <dd>{percentText(uptimeOver(count, days, now), i18n.language)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
