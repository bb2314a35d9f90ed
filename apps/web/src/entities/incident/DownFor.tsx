import { formatTime } from '@kustos/contract/grid'
import { useTranslation } from 'react-i18next'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { formatDuration } from '../../ui/times.ts'
import { useNow } from '../../ui/use-now.ts'
import styles from './DownFor.module.css'

interface Props {
  readonly since: string
}

function useDownLength(since: string): string {
  const { t } = useTranslation()
  const seconds = (useNow(10_000) - Date.parse(since)) / 1000
  return formatDuration(seconds, t, 1)
}

/** How long a web has been down: "▲ 4 min". */
export function DownFor({ since }: Props) {
  const { t } = useTranslation()
  const length = useDownLength(since)
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

/** The same in words, beside other states of a web: "down for 4 min". */
export function DownChip({ since }: Props) {
  const { t } = useTranslation()
  const length = useDownLength(since)
  return (
    <span data-tip={t('monitoring.downSince', { time: formatTime(since) })}>
      <StatusChip tone="red" text={t('monitoring.downFor', { length })} />
    </span>
  )
}
