import { type FieldChange, type ListChange, listChange } from '@kustos/contract/logs'
import { Fragment } from 'react'
import styles from './logs.module.css'

interface Props {
  readonly change: FieldChange
  readonly text: (value: unknown) => string
  /** Names in a list that start after this many characters are left out. */
  readonly maxLength?: number | undefined
}

/** A field's value before and after a change: "old → new", or what a list lost and gained. */
export function ChangedValue({ change: { oldValue, newValue }, text, maxLength }: Props) {
  const list = listChange(oldValue, newValue)
  if (list !== null) return <ListDifference change={list} maxLength={maxLength} />
  return (
    <>
      {oldValue !== undefined && <del className={styles.old}>{text(oldValue)}</del>}
      {oldValue !== undefined && newValue !== undefined && ' → '}
      {newValue !== undefined && <ins className={styles.new}>{text(newValue)}</ins>}
    </>
  )
}

/** Up to this many names are shown on one line. */
export const maxInlineNames = 4

/** The removed and added items of a list: "− edit webs, + view queue". */
function ListDifference({
  change: { removed, added },
  maxLength = Number.POSITIVE_INFINITY,
}: Pick<Props, 'maxLength'> & { readonly change: ListChange }) {
  const separator =
    maxLength === Number.POSITIVE_INFINITY && removed.length + added.length > maxInlineNames ? '\n' : ', '
  let length = 0
  const all = [
    ...removed.map((name) => ({ name, isAdded: false })),
    ...added.map((name) => ({ name, isAdded: true })),
  ]
  const shown = all.filter(({ name }) => {
    const isIn = length <= maxLength
    length += name.length + 2
    return isIn
  })
  return (
    <>
      {shown.map(({ name, isAdded }, at) => (
        <Fragment key={`${isAdded ? '+' : '−'}${name}`}>
          {at > 0 && separator}
          {isAdded ? <ins className={styles.new}>+ {name}</ins> : <del className={styles.gone}>− {name}</del>}
        </Fragment>
      ))}
      {shown.length < all.length && ', …'}
    </>
  )
}
