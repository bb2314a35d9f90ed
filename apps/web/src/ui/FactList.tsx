import type { ReactNode } from 'react'
import styles from './FactList.module.css'

/** What is known of one thing: terms at the left, what each is at the right. */
export function FactList({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>
}
