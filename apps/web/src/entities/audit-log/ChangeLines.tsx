import { differenceText, type FieldChange, listChange } from '@kustos/contract/logs'
import type { ReactNode } from 'react'
import { ChangedValue } from './ChangedValue.tsx'
import styles from './change-lines.module.css'
import { formatValueLines, type ValueLabels } from './format-value.ts'

interface Props {
  readonly changes: readonly FieldChange[]
  readonly words: ValueLabels
  readonly most: number
  /** The last line if there are more, instead of a change. @param count of those that are left out */
  readonly more: (count: number) => ReactNode
}

/** The number of lines, for the height of a grid's row. */
export const countChangeLines = (changes: readonly FieldChange[], most: number): number =>
  Math.max(1, Math.min(most, changes.length))

/** Whether its line has an old and a new value, each of which is cut for itself. */
const isReplaced = ({ oldValue, newValue }: FieldChange) =>
  oldValue !== undefined && newValue !== undefined && listChange(oldValue, newValue) === null

/** A cell with a line for each changed field, and a tooltip with all of them. */
export function ChangeLines({ changes, words, most, more }: Props) {
  const shown = changes.slice(0, changes.length > most ? most - 1 : most)
  return (
    <span className={styles.lines} data-tip={formatTip(changes, words)}>
      {shown.map((change) => (
        <span key={change.field} className={isReplaced(change) ? styles.replaced : styles.line}>
          <span className={styles.field}>{words.labelOf(change.field)}</span>{' '}
          <ChangedValue
            change={change}
            text={(value) => formatValueLines(change.field, value, words).join(' ')}
          />
        </span>
      ))}
      {shown.length < changes.length && more(changes.length - shown.length)}
    </span>
  )
}

const maxTipLines = 12
const maxTipLength = 300

function formatTip(changes: readonly FieldChange[], words: ValueLabels): string {
  const lines = changes.slice(0, maxTipLines).map(({ field, oldValue, newValue }) => {
    const text = (value: unknown) => formatValueLines(field, value, words).join(' ')
    const change =
      oldValue === undefined || newValue === undefined
        ? text(oldValue ?? newValue)
        : differenceText(oldValue, newValue, text)
    const line = `${words.labelOf(field)}: ${change}`
    return line.length > maxTipLength ? `${line.slice(0, maxTipLength)}…` : line
  })
  return [...lines, ...(changes.length > maxTipLines ? ['…'] : [])].join('\n')
}
