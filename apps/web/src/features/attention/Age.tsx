import { formatTime } from '@kustos/contract/grid'
import { createContext, type ReactNode, use } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDuration, timeLeft } from '../../ui/times.ts'
import { useNow } from '../../ui/use-now.ts'
import styles from './attention.module.css'

/** Unix milliseconds. */
const Now = createContext(Date.now())

/** Updates all ages within it at once. Each with a timer of its own, hundreds would keep a slow browser from anything else. */
export const AgeClock = ({ children }: { readonly children: ReactNode }) => (
  <Now value={useNow(10_000)}>{children}</Now>
)

/** How long something has lasted, with its beginning as a tooltip. */
export function Age({ since }: { readonly since: string }) {
  const { t } = useTranslation()
  // Something may have begun since the last update.
  const length = formatDuration(Math.max(0, use(Now) - Date.parse(since)) / 1000, t, 1)
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
