import { formatTime } from '@kustos/contract/grid'
import { useTranslation } from 'react-i18next'
import styles from './DownFor.module.css'
import { lengthOf } from './times.ts'
import { useNow } from './use-now.ts'

/** Since when a web is down, as it grows: "▲ 4 min". */
export function DownFor({ since }: { readonly since: string }) {
  const { t, i18n } = useTranslation()
  const seconds = (useNow(10_000) - Date.parse(since)) / 1000
  const length = lengthOf(seconds, i18n.language, 1)
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
