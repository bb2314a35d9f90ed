import { formatTime } from '@kustos/contract/grid'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '../../ui/times.ts'
import styles from './attention.module.css'

/** How long something has lasted, with its beginning as a tooltip. @param now Unix milliseconds */
export function Age({ since, now }: { readonly since: string; readonly now: number }) {
  const { t } = useTranslation()
  const length = formatDuration((now - Date.parse(since)) / 1000, t, 1)
  return (
    <time dateTime={since} title={t('attention.since', { time: formatTime(since) })} className={styles.age}>
      {t('attention.age', { length })}
    </time>
  )
}
