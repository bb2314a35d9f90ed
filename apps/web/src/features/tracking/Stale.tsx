import { IconClockExclamation } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './tracking.module.css'

interface Props {
  readonly text: string
  readonly isStale: boolean
}

/** The id of a service in a cell; one that was not seen for too long has a mark and a word for it. */
export function Stale({ text, isStale }: Props) {
  const { t } = useTranslation()
  return (
    <span className={styles.id} data-stale={isStale || undefined}>
      {text}
      {isStale && (
        <>
          <IconClockExclamation size={13} aria-hidden="true" className={styles.clock} />
          {t('tracking.list.stale')}
        </>
      )}
    </span>
  )
}
