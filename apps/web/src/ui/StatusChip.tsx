import type { Tone } from '@kustos/contract/grid'
import styles from './StatusChip.module.css'

interface Props {
  readonly tone: Tone
  /** Colour never stands alone. */
  readonly text: string
}

/** A state as a coloured dot and a word. */
export function StatusChip({ tone, text }: Props) {
  return (
    <span className={styles.chip} data-tone={tone}>
      <span className={styles.text}>{text}</span>
    </span>
  )
}
