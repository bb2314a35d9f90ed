import { formatTime } from '@kustos/contract/grid'
import { useTranslation } from 'react-i18next'
import { formatDuration, timeLeft } from '../../ui/times.ts'
import { useNow } from '../../ui/use-now.ts'
import styles from './attention.module.css'

/** How long something has lasted, with its beginning as a tooltip. */
export function Age({ since }: { readonly since: string }) {
  const { t } = useTranslation()
  const now = useNow(10_000)
  const length = formatDuration((now - Date.parse(since)) / 1000, t, 1)
  return (
    <time dateTime={since} title={t('attention.since', { time: formatTime(since) })} className={styles.age}>
      {t('attention.age', { length })}
    </time>
  )
}

/** How long it takes until something ends, with its end as a tooltip. @param now Unix milliseconds */
export function TimeLeft({ until, now }: { readonly until: string; readonly now: number }) {
  const { t, i18n } = useTranslation()
  return (
    <time dateTime={until} title={t('attention.expires', { time: formatTime(until) })} className={styles.age}>
      {timeLeft(until, now, i18n.language)}
    </time>
  )
}
