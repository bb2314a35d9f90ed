import type { ReactNode } from 'react'
import styles from './FactList.module.css'

export function FactList({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>
}
