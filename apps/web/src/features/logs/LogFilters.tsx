import { logNames as knownLogNames } from '@kustos/contract/log-words'
import { subjectTypes } from '@kustos/contract/logs'
import { Button, Select, Text, TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback, useMediaQuery } from '@mantine/hooks'
import { IconFilter, IconFilterOff } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { issueText } from '../../platform/message-text.ts'
import {
  clearFilter,
  type FilterName,
  filterNames,
  fromLocal,
  parseFilter,
  readCurrentSearchParams,
  setFilter,
  toLocal,
} from './filter-params.ts'
import styles from './log-screen.module.css'

interface Props {
  /** The known users who may have caused an entry; undefined while they load. */
  readonly users: readonly { readonly id: number; readonly email: string }[] | undefined
  /** The log names of the loaded entries, which may include those of older releases. */
  readonly logNames: readonly string[]
}

interface Option {
  readonly value: string
  readonly label: string
}

/** The filters that the server applies to the whole log, kept in the URL. */
export function LogFilters({ users = [], logNames }: Props) {
  const { t } = useTranslation()
  const [searchParams, setSearchParams] = useSearchParams()
  const { filter, errors } = parseFilter(searchParams)
  const readParam = (name: FilterName) => searchParams.get(name) ?? ''
  const set = (name: FilterName, value: string, options?: { readonly replace: boolean }) =>
    setSearchParams(setFilter(readCurrentSearchParams(), name, value), options)
  const errorsId = useId()
  const findError = (name: FilterName) => {
    const message = errors[name]
    if (message === undefined) return undefined
    // A select can only have an invalid value from the URL.
    const isChosen = name === 'causer' || (name === 'subject_type' && readParam(name) !== '')
    if (isChosen) return t('logs.filters.unknown')
    if (name === 'subject_id') return t('logs.filters.invalidId')
    return name === 'to' && fromLocal(toLocal(readParam('to'))) !== ''
      ? t('logs.filters.toBeforeFrom')
      : issueText(message)
  }

  const field = (name: FilterName) => ({
    size: 'xs' as const,
    label: t(`logs.filters.${name}`),
    // All errors are listed below the fields, so no field moves.
    error: errors[name] !== undefined,
    'aria-describedby': errors[name] === undefined ? undefined : errorsId,
  })
  const select = (name: FilterName, data: readonly Option[]) => ({
    ...field(name),
    placeholder: t('logs.filters.any'),
    data: withValue(data, readParam(name)),
    value: readParam(name) === '' ? null : readParam(name),
    onChange: (value: string | null) => set(name, value ?? ''),
    clearable: true,
    clearButtonProps: { 'aria-label': t('logs.filters.clear', { name: t(`logs.filters.${name}`) }) },
    nothingFoundMessage: t('logs.filters.noMatch'),
  })
  const toOptions = (values: readonly string[]) => values.map((value) => ({ value, label: value }))
  const time = (name: 'from' | 'to') => (
    <DebouncedInput
      {...field(name)}
      type="datetime-local"
      className={styles.time}
      value={toLocal(readParam(name))}
      onCommit={(value) => set(name, fromLocal(value), { replace: true })}
    />
  )

  const count = new Set([...Object.keys(filter), ...Object.keys(errors)]).size
  // Errors must be visible on phones, too.
  const [isOpen, setOpen] = useState(Object.keys(errors).length > 0)
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  if (isNarrow && !isOpen)
    return (
      <Button
        size="xs"
        variant="default"
        className={styles.opener}
        leftSection={<IconFilter size={14} />}
        onClick={() => setOpen(true)}
      >
        {t('logs.filters.title')}
        {count > 0 && ` (${count})`}
      </Button>
    )

  return (
    <search className={styles.filters} aria-label={t('logs.filters.title')}>
      <Select
        {...select('causer', [
          { value: 'none', label: t('logs.filters.nobody') },
          ...users.map(({ id, email }) => ({ value: String(id), label: email })),
        ])}
        searchable
        className={styles.causer}
      />
      <Select
        {...select('log', toOptions([...new Set([...knownLogNames, ...logNames])]))}
        searchable
        className={styles.log}
      />
      <Select {...select('subject_type', toOptions(subjectTypes))} className={styles.log} />
      <DebouncedInput
        {...field('subject_id')}
        className={styles.id}
        inputMode="numeric"
        disabled={readParam('subject_type') === ''}
        value={readParam('subject_id')}
        onCommit={(value) => set('subject_id', value.trim(), { replace: true })}
      />
      {time('from')}
      {time('to')}
      {count > 0 && (
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          leftSection={<IconFilterOff size={14} />}
          onClick={() => setSearchParams(clearFilter(readCurrentSearchParams()))}
        >
          {t('logs.filters.reset')}
        </Button>
      )}
      <Text id={errorsId} role="status" fz="xs" className={styles.errors}>
        {filterNames
          .filter((name) => errors[name] !== undefined)
          .map((name) => `${t(`logs.filters.${name}`)}: ${findError(name)}. ${t('logs.filters.ignored')}`)
          .join(' ')}
      </Text>
    </search>
  )
}

/** Adds the value from the URL if no option has it. */
const withValue = (data: readonly Option[], value: string) =>
  value === '' || data.some((option) => option.value === value)
    ? [...data]
    : [...data, { value, label: value }]

interface DebouncedInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'onBlur' | 'onKeyDown'> {
  readonly value: string
  readonly onCommit: (value: string) => void
}

const typingPauseMs = 300

/** A field that applies its value when typing pauses, on blur and on Enter. */
function DebouncedInput({ value, onCommit, ...input }: DebouncedInputProps) {
  const [typed, setTyped] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  // The URL may spell the value differently. It must not replace text that is being typed.
  useEffect(() => {
    if (document.activeElement !== field.current) setTyped(value)
  }, [value])
  const commitLater = useDebouncedCallback((next: string) => {
    // A partly typed date is empty and must not clear the filter.
    if (!field.current?.validity.badInput) commit(next)
  }, typingPauseMs)
  function commit(next: string) {
    commitLater.cancel()
    if (next !== value) onCommit(next)
  }
  return (
    <TextInput
      {...input}
      ref={field}
      value={typed}
      onChange={({ currentTarget }) => {
        const next = currentTarget.value
        setTyped(next)
        commitLater(next)
      }}
      onBlur={() => {
        if (commitLater.isPending()) commit(typed)
        else setTyped(value)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit(typed)
      }}
    />
  )
}
