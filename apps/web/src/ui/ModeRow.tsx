import { SegmentedControl, Text } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import styles from './mode-row.module.css'

interface Props<Mode extends string> {
  readonly label: string
  /** Names the choice for those who do not see the label beside it. */
  readonly choiceLabel: string
  readonly mode: Mode
  readonly modes: readonly { readonly value: Mode; readonly label: string }[]
  readonly onMode: (mode: Mode) => void
  /** What applies without a value of its own; null if that is not shown. */
  readonly inherited: ReactNode
  /** The input, which gets the id of the label; null if there is none. */
  readonly children: (labelId: string) => ReactNode
}

/** A setting whose value is inherited or its own: its name, that choice, and below them what applies or its input. */
export function ModeRow<Mode extends string>({
  label,
  choiceLabel,
  mode,
  modes,
  onMode,
  inherited,
  children,
}: Props<Mode>) {
  const id = useId()
  const input = children(id)
  return (
    <div className={styles.row}>
      <div className={styles.head}>
        <Text span id={id}>
          {label}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={choiceLabel}
          value={mode}
          onChange={(next) => onMode(next as Mode)}
          data={[...modes]}
        />
      </div>
      {inherited !== null && (
        <Text c="dimmed" fz="sm" className={styles.inherited}>
          {inherited}
        </Text>
      )}
      {input !== null && <div className={styles.input}>{input}</div>}
    </div>
  )
}

/** Rows under a heading. */
export function ModeGroup({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <fieldset className={styles.group}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  )
}
