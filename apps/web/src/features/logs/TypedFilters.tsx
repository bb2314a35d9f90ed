import type { LogFilterName } from '@kustos/contract/logs'
import { Autocomplete, Text } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CustomerPicker } from '../../entities/customer/CustomerPicker.tsx'
import styles from './log-screen.module.css'

/** Whether Enter takes what was typed, and not a suggestion. */
const isEnterInText = ({ key, currentTarget }: KeyboardEvent<HTMLInputElement>) =>
  key === 'Enter' && !currentTarget.hasAttribute('aria-activedescendant')

interface TypedProps {
  readonly value: string
  readonly onCommit: (name: LogFilterName, value: string) => void
}

/** The code of a customer, applied when it is chosen, on Enter, and when the field is left. */
export function CustomerFilter({ value, onCommit, ...input }: TypedProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(value)
  const commit = (next: string) => next.trim() !== value && onCommit('customer', next.trim())
  return (
    <CustomerPicker
      {...input}
      placeholder={t('logs.filters.any')}
      className={styles.log}
      value={typed}
      onChange={setTyped}
      onOptionSubmit={commit}
      onBlur={() => commit(typed)}
      onKeyDown={(event) => isEnterInText(event) && commit(typed)}
    />
  )
}

/** The name of a field as the log has it; the labels of the fields that screens name are suggested. */
export function FieldFilter({ value, onCommit, ...input }: TypedProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(value)
  const commit = (next: string) => next.trim() !== value && onCommit('field', next.trim())
  const labels: Readonly<Record<string, string>> = {
    ...t('gridLabels.webs.columns', { returnObjects: true }),
    ...t('logs.fields', { returnObjects: true }),
  }
  return (
    <Autocomplete
      {...input}
      placeholder={t('logs.filters.any')}
      className={styles.log}
      limit={20}
      data={Object.keys(labels).sort()}
      renderOption={({ option }) => (
        <span>
          {option.value}{' '}
          <Text span c="dimmed" fz="sm">
            {labels[option.value]}
          </Text>
        </span>
      )}
      value={typed}
      onChange={setTyped}
      onOptionSubmit={commit}
      onBlur={() => commit(typed)}
      onKeyDown={(event) => isEnterInText(event) && commit(typed)}
    />
  )
}
