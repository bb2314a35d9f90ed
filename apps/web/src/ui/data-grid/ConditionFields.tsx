import {
  type Column,
  type ColumnKind,
  type Condition,
  compileCondition,
  operatorsOf,
  valueCountOf,
} from '@kustos/contract/grid'
import { ActionIcon, NativeSelect, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { changeOperator } from './change-operator.ts'
import classes from './data-grid.module.css'
import { OptionList } from './OptionList.tsx'

interface Props<Row> {
  readonly column: Column<Row>
  readonly condition: Condition
  readonly occurring: readonly string[]
  /** @param isTyped whether more keystrokes are likely to follow */
  readonly onChange: (condition: Condition, isTyped: boolean) => void
  readonly onRemove: (() => void) | undefined
}

const errorKeyOf = (kind: ColumnKind) =>
  kind === 'text' ? 'grid.badRegex' : kind === 'date' ? 'grid.badDate' : 'grid.badNumber'

export function ConditionFields<Row>({ column, condition, occurring, onChange, onRemove }: Props<Row>) {
  const { t } = useTranslation()
  const { operator, values } = condition
  const count = valueCountOf(operator)
  const isBad = (value: string) =>
    value !== '' && compileCondition(column, { operator, values: [value, value] }) === null

  const field = (at: 0 | 1, label: string) => {
    const value = values[at] ?? ''
    return (
      <TextInput
        size="xs"
        aria-label={label}
        data-autofocus={at === 0 || undefined}
        type={column.kind === 'date' ? 'date' : 'text'}
        inputMode={column.kind === 'number' || column.kind === 'bytes' ? 'decimal' : undefined}
        rightSection={column.kind === 'bytes' && <span className={classes.unit}>GiB</span>}
        value={value}
        error={isBad(value) && t(errorKeyOf(column.kind))}
        onChange={(event) => {
          const next = count === 2 ? [values[0] ?? '', values[1] ?? ''] : ['']
          next[at] = event.currentTarget.value
          onChange({ operator, values: next }, true)
        }}
      />
    )
  }

  return (
    <div className={classes.condition}>
      <div className={classes.conditionHead}>
        <NativeSelect
          size="xs"
          aria-label={t('grid.operator')}
          value={operator}
          data={operatorsOf(column.kind).map((value) => ({ value, label: t(`grid.operators.${value}`) }))}
          onChange={(event) => {
            const next = operatorsOf(column.kind).find((known) => known === event.currentTarget.value)
            if (next) onChange(changeOperator(condition, next), false)
          }}
        />
        {onRemove && (
          <ActionIcon size={28} aria-label={t('grid.removeCondition')} onClick={onRemove}>
            <IconX size={14} />
          </ActionIcon>
        )}
      </div>
      {count === null && (
        <OptionList
          column={column}
          occurring={occurring}
          selected={values}
          onChange={(selected) => onChange({ operator, values: selected }, false)}
        />
      )}
      {count === 1 && field(0, t('grid.value'))}
      {count === 2 && (
        <div className={classes.pair}>
          {field(0, t('grid.valueFrom'))}
          {field(1, t('grid.valueTo'))}
        </div>
      )}
    </div>
  )
}
