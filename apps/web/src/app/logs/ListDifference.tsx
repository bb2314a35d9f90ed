import type { ListChange } from '@kustos/contract/logs'
import { Fragment } from 'react'
import styles from './logs.module.css'

interface Props {
  readonly change: ListChange
  /** Names that begin after so many characters are left out; none unless given. */
  readonly cutAt?: number | undefined
}

/** So many names are read in one line, where there is room for more. */
export const fewNames = 4

/** What a list lost and gained: "− edit webs, + view queue". Of what stayed it says nothing. */
export function ListDifference({ change: { removed, added }, cutAt = Number.POSITIVE_INFINITY }: Props) {
  const separator =
    cutAt === Number.POSITIVE_INFINITY && removed.length + added.length > fewNames ? '\n' : ', '
  let length = 0
  const all = [
    ...removed.map((name) => ({ name, isAdded: false })),
    ...added.map((name) => ({ name, isAdded: true })),
  ]
  const shown = all.filter(({ name }) => {
    const isIn = length <= cutAt
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
