import { listChange } from '@kustos/contract/logs'
import { ListDifference } from './ListDifference.tsx'
import styles from './logs.module.css'
import type { FieldChange } from './value-lines.ts'

interface Props {
  readonly change: FieldChange
  readonly text: (value: unknown) => string
  /** Names in a list that start after this many characters are left out. */
  readonly maxLength?: number | undefined
}

/** A field's value before and after a change: "old → new", or what a list lost and gained. */
export function ChangedValue({ change: { old, now }, text, maxLength }: Props) {
  const list = listChange(old, now)
  if (list !== null) return <ListDifference change={list} maxLength={maxLength} />
  return (
    <>
      {old !== undefined && <del className={styles.old}>{text(old)}</del>}
      {old !== undefined && now !== undefined && ' → '}
      {now !== undefined && <ins className={styles.new}>{text(now)}</ins>}
    </>
  )
}
