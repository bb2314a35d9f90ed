import type { TagColor } from '@kustos/contract/tags'
import styles from './tag.module.css'

/** The colour of a tag, beside its name. */
export const TagDot = ({ color }: { readonly color: TagColor }) => (
  <span className={styles.dot} data-color={color} aria-hidden="true" />
)
