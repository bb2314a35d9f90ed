import type { ListChange } from '@kustos/contract/logs'
import { Fragment } from 'react'
import styles from './logs.module.css'

interface Props {
  readonly change: ListChange
  /** Names that start after this many characters are left out. */
  readonly maxLength?: number | undefined
}

/** Up to this many names are shown on one line. */
export const maxInlineNames = 4

/** The removed and added items of a list: "− edit webs, + view queue". */
export function ListDifference({ change: { removed, added }, maxLength = Number.POSITIVE_INFINITY }: Props) {
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
