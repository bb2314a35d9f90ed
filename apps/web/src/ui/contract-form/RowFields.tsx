import { ActionIcon, Button, Input, type InputWrapperProps } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './RowFields.module.css'

interface Props<Row> extends Pick<InputWrapperProps, 'label' | 'error' | 'description'> {
  readonly value: readonly Row[]
  readonly onChange: (rows: readonly Row[]) => void
  /** A new row. */
  readonly empty: Row
  /** @param replace changes fields of the row */
  readonly fields: (row: Row, replace: (changed: Partial<Row>) => void) => ReactNode
  /** Names of the row of this number, and of the buttons. */
  readonly rowLabel: (number: number) => string
  readonly removeLabel: (number: number) => string
  readonly addLabel: string
}

/** A row of fields for each entry of a list, with buttons that remove and add rows. */
export function RowFields<Row extends object>({
  value,
  onChange,
  empty,
  fields,
  rowLabel,
  removeLabel,
  addLabel,
  ...wrapper
}: Props<Row>) {
  return (
    <Input.Wrapper {...wrapper} labelElement="div">
      {value.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own.
        <fieldset key={index} className={styles.row} aria-label={rowLabel(index + 1)}>
          {fields(row, (changed) => onChange(value.with(index, { ...row, ...changed })))}
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={removeLabel(index + 1)}
            onClick={() => onChange(value.toSpliced(index, 1))}
          >
            <IconX size={16} />
          </ActionIcon>
        </fieldset>
      ))}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...value, empty])}
      >
        {addLabel}
      </Button>
    </Input.Wrapper>
  )
}
