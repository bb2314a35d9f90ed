import { formatTime } from '@kustos/contract/grid'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '../../ui/times.ts'
import { useNow } from '../../ui/use-now.ts'
import styles from './DownFor.module.css'

/** How long a web has been down: "▲ 4 min". */
export function DownFor({ since }: { readonly since: string }) {
  const { t } = useTranslation()
  const seconds = (useNow(10_000) - Date.parse(since)) / 1000
  const length = formatDuration(seconds, t, 1)
  return (
    <span
      role="img"
      aria-label={t('monitoring.downFor', { length })}
      data-tip={t('monitoring.downSince', { time: formatTime(since) })}
      className={styles.length}
    >
      ▲ {length}
    </span>
  )
}
