import type { Tone } from '@kustos/contract/grid'
import styles from './StatusChip.module.css'

/** A coloured dot with its text, because colour must not stand alone. */
export function StatusChip({ tone, text }: { readonly tone: Tone; readonly text: string }) {
  return (
    <span className={styles.chip} data-tone={tone}>
      <span className={styles.text}>{text}</span>
    </span>
  )
}
