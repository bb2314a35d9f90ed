import type { Tone } from '@kustos/contract/grid'
import styles from './StatusChip.module.css'

interface Props {
  readonly tone: Tone
  readonly text: string
}

/** A coloured dot with its text, because colour must not stand alone. */
export function StatusChip({ tone, text }: Props) {
  return (
    <span className={styles.chip} data-tone={tone}>
      <span className={styles.text}>{text}</span>
    </span>
  )
}
