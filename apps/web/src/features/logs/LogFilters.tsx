import { logNames as written } from '@kustos/contract/log-words'
import { subjectTypes } from '@kustos/contract/logs'
import { Button, Select, Text, TextInput, type TextInputProps } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconFilter, IconFilterOff } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { sentence } from '../../app/sentences.ts'
import {
  type FilterName,
  filterIn,
  filterNames,
  fromLocal,
  toLocal,
  withFilter,
  withoutFilter,
} from './filter-address.ts'
import styles from './log-screen.module.css'

interface Props {
  /** Everybody who can be a causer; undefined until they are there. */
  readonly users: readonly { readonly id: number; readonly email: string }[] | undefined
  /** The names that the loaded entries have: older releases may have written others. */
  readonly logNames: readonly string[]
}

/** What the server cuts the log to, however long it is. It stands in the address. */
export function LogFilters({ users = [], logNames }: Props) {
  const { t } = useTranslation()
  const [address, setAddress] = useSearchParams()
  const { filter, errors } = filterIn(address)
  const askedOf = (name: FilterName) => address.get(name) ?? ''
  const set = (name: FilterName, value: string, options?: { readonly replace: boolean }) =>
    setAddress((now) => withFilter(now, name, value), options)
  const errorsId = useId()
  const errorOf = (name: FilterName) => {
    const message = errors[name]
    if (message === undefined) return undefined
    // Only an address can ask a choice for what it does not offer.
    const isChosen = name === 'causer' || (name === 'subject_type' && askedOf(name) !== '')
    if (isChosen) return t('logs.filters.unknown')
    if (name === 'subject_id') return t('logs.filters.noId')
    return name === 'to' && fromLocal(toLocal(askedOf('to'))) !== ''
      ? t('logs.filters.toBeforeFrom')
      : sentence(message)
  }
  /** What is wrong is told in one line under all of them, so that no field moves. */
  const wrong = (name: FilterName) => ({
    error: errors[name] !== undefined,
    'aria-describedby': errors[name] === undefined ? undefined : errorsId,
  })

  const select = (name: FilterName, data: readonly { value: string; label: string }[]) => ({
    size: 'xs' as const,
    label: t(`logs.filters.${name}`),
    placeholder: t('logs.filters.any'),
    data: withValue(data, askedOf(name)),
    value: askedOf(name) === '' ? null : askedOf(name),
    onChange: (value: string | null) => set(name, value ?? ''),
    ...wrong(name),
    clearable: true,
    clearButtonProps: { 'aria-label': t('logs.filters.clear', { name: t(`logs.filters.${name}`) }) },
    nothingFoundMessage: t('logs.filters.noMatch'),
  })
  const plain = (values: readonly string[]) => values.map((value) => ({ value, label: value }))
  const time = (name: 'from' | 'to') => (
    <Typed
      size="xs"
      type="datetime-local"
      label={t(`logs.filters.${name}`)}
      className={styles.time}
      {...wrong(name)}
      value={toLocal(askedOf(name))}
      onCommit={(value) => set(name, fromLocal(value), { replace: true })}
    />
  )

  const count = new Set([...Object.keys(filter), ...Object.keys(errors)]).size
  // What is wrong must be seen, on a phone too.
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
        {...select('log', plain([...new Set([...written, ...logNames])]))}
        searchable
        className={styles.log}
      />
      <Select {...select('subject_type', plain(subjectTypes))} className={styles.log} />
      <Typed
        size="xs"
        label={t('logs.filters.subject_id')}
        className={styles.id}
        inputMode="numeric"
        {...wrong('subject_id')}
        disabled={askedOf('subject_type') === ''}
        value={askedOf('subject_id')}
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
          onClick={() => setAddress(withoutFilter)}
        >
          {t('logs.filters.reset')}
        </Button>
      )}
      <Text id={errorsId} role="status" fz="xs" className={styles.errors}>
        {filterNames
          .filter((name) => errors[name] !== undefined)
          .map((name) => `${t(`logs.filters.${name}`)}: ${errorOf(name)}. ${t('logs.filters.notCut')}`)
          .join(' ')}
      </Text>
    </search>
  )
}

/** An address may name what no option has. */
const withValue = (data: readonly { value: string; label: string }[], value: string) =>
  value === '' || data.some((option) => option.value === value)
    ? [...data]
    : [...data, { value, label: value }]

interface TypedProps extends Omit<TextInputProps, 'value' | 'onChange' | 'onBlur' | 'onKeyDown'> {
  readonly value: string
  readonly onCommit: (value: string) => void
}

/** Typing that rests for so long counts, in milliseconds. */
const typingPause = 300

/** A field whose value counts once its typing has come to rest, it is left, or Enter is pressed. */
function Typed({ value, onCommit, ...input }: TypedProps) {
  const [typed, setTyped] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  // What comes back from the address may be spelled otherwise: it takes nothing from whoever is typing.
  useEffect(() => {
    if (document.activeElement !== field.current) setTyped(value)
  }, [value])
  useEffect(() => () => clearTimeout(pause.current), [])
  const commit = (next: string) => {
    clearTimeout(pause.current)
    pause.current = undefined
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
        clearTimeout(pause.current)
        // Half a date is none, and takes nothing away while it is typed.
        pause.current = setTimeout(() => {
          if (!field.current?.validity.badInput) commit(next)
        }, typingPause)
      }}
      onBlur={() => {
        if (pause.current === undefined) setTyped(value)
        else commit(typed)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit(typed)
      }}
    />
  )
}
