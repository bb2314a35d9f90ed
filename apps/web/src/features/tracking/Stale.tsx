import { IconClockExclamation } from '@tabler/icons-react'
import styles from './tracking.module.css'

interface Props {
  readonly text: string
}

/** The id of a service that no audit has confirmed for too long; the column's heading has the word for its mark. */
export function Stale({ text }: Props) {
  return (
    <span className={styles.id}>
      <IconClockExclamation size={13} aria-hidden="true" className={styles.clock} />
      {text}
    </span>
  )
}
