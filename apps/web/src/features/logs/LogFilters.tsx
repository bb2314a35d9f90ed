import { logNames as knownLogNames, logEvents } from '@kustos/contract/log-words'
import {
  type LogFilterName,
  logFilterNames,
  logPeriods,
  logResults,
  subjectTypes,
} from '@kustos/contract/logs'
import { Button, Select, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconAdjustmentsHorizontal, IconFilter, IconFilterOff, IconSearch } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { descriptionText, logNameText, subjectTypeText } from '../../entities/audit-log/description-text.ts'
import { fromLocal, toLocal } from '../../ui/rome-input.ts'
import { usePlainKey } from '../../ui/use-plain-key.ts'
import { DebouncedInput } from './DebouncedInput.tsx'
import styles from './log-screen.module.css'
import { CustomerFilter, FieldFilter } from './TypedFilters.tsx'
import { type Option, toOptions, useFilterFields } from './use-filter-fields.ts'

interface Props {
  /** The known users who may have caused an entry; undefined while they load. */
  readonly users: readonly { readonly id: number; readonly email: string }[] | undefined
  /** The log names and the descriptions of the loaded entries, which may include those of older releases. */
  readonly logNames: readonly string[]
  readonly descriptions: readonly string[]
}

/** Filters that are needed less often, and stay hidden until then. */
const furtherNames: readonly LogFilterName[] = ['log', 'result', 'field', 'subject_type', 'subject_id']

/** The filters that the server applies to the whole log, kept in the URL. */
export function LogFilters({ users = [], logNames, descriptions }: Props) {
  const { t } = useTranslation()
  const fields = useFilterFields()
  const { readParam, set, setAll, clear, count, errors, errorTexts } = fields
  const errorsId = useId()
  const searchField = useRef<HTMLInputElement>(null)
  usePlainKey('/', () => searchField.current?.select())
  const field = (name: LogFilterName) => fields.field(name, errorsId)
  const select = (name: LogFilterName, data: readonly Option[]) => fields.select(name, data, errorsId)

  const hasTimes = readParam('from') !== '' || readParam('to') !== ''
  const [isCustom, setCustom] = useState(false)
  // Back and views may set a period after times were chosen.
  const within = readParam('within')
  const period = hasTimes || (isCustom && within === '') ? 'custom' : within
  function choosePeriod(value: string | null) {
    setCustom(value === 'custom')
    setAll({ within: value === null || value === 'custom' ? '' : value, from: '', to: '' })
  }
  const time = (name: 'from' | 'to') => (
    <DebouncedInput
      {...field(name)}
      type="datetime-local"
      className={styles.time}
      value={toLocal(readParam(name))}
      onCommit={(value) => set(name, fromLocal(value), { replace: true })}
    />
  )

  // Links, views and Back may set them later, too.
  const isFurtherSet = furtherNames.some((name) => readParam(name) !== '')
  const [isFurtherOpen, setFurtherOpen] = useState(isFurtherSet)
  if (isFurtherSet && !isFurtherOpen) setFurtherOpen(true)
  // Errors must be visible on phones, too.
  const hasErrors = Object.keys(errors).length > 0
  const [isOpen, setOpen] = useState(hasErrors)
  if (hasErrors && !isOpen) setOpen(true)
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const search = (
    <DebouncedInput
      {...field('search')}
      ref={searchField}
      type="search"
      aria-keyshortcuts="/"
      className={styles.search}
      placeholder={t('logs.filters.searchHint')}
      leftSection={<IconSearch size={14} />}
      maxLength={200}
      value={readParam('search')}
      onCommit={(value) => set('search', value, { replace: true })}
    />
  )
  if (isNarrow && !isOpen)
    return (
      <search className={styles.filters} aria-label={t('logs.filters.title')}>
        {search}
        <Button
          size="xs"
          variant="default"
          leftSection={<IconFilter size={14} />}
          onClick={() => setOpen(true)}
        >
          {t('logs.filters.title')}
          {count > 0 && ` (${count})`}
        </Button>
      </search>
    )

  return (
    <search className={styles.filters} aria-label={t('logs.filters.title')}>
      {search}
      <Select
        {...select('within', [])}
        data={[
          ...logPeriods.map((value) => ({ value, label: t(`logs.filters.periods.${value}`) })),
          { value: 'custom', label: t('logs.filters.periods.custom') },
        ]}
        value={period === '' ? null : period}
        onChange={choosePeriod}
        className={styles.log}
      />
      {period === 'custom' && (
        <>
          {time('from')}
          {time('to')}
        </>
      )}
      <Select
        {...select('causer', [
          { value: 'none', label: t('logs.filters.nobody') },
          ...users.map(({ id, email }) => ({ value: String(id), label: email })),
        ])}
        searchable
        className={styles.causer}
      />
      <Select
        {...select(
          'action',
          toOptions([...logEvents, ...descriptions], (value) => descriptionText(t, value)),
        )}
        searchable
        className={styles.causer}
      />
      <CustomerFilter
        key={readParam('customer')}
        value={readParam('customer')}
        {...field('customer')}
        onCommit={set}
      />
      {isFurtherOpen ? (
        <>
          <Select
            {...select(
              'log',
              toOptions([...knownLogNames, ...logNames], (name) => logNameText(t, name)),
            )}
            searchable
            className={styles.log}
          />
          <Select
            {...select(
              'result',
              logResults.map((value) => ({ value, label: t(`logs.filters.results.${value}`) })),
            )}
            className={styles.log}
          />
          <FieldFilter
            key={readParam('field')}
            value={readParam('field')}
            {...field('field')}
            onCommit={set}
          />
          <Select
            {...select(
              'subject_type',
              toOptions(subjectTypes, (type) => subjectTypeText(t, type)),
            )}
            className={styles.log}
          />
          <DebouncedInput
            {...field('subject_id')}
            className={styles.id}
            inputMode="numeric"
            disabled={readParam('subject_type') === ''}
            value={readParam('subject_id')}
            onCommit={(value) => set('subject_id', value.trim(), { replace: true })}
          />
        </>
      ) : (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={14} />}
          onClick={() => setFurtherOpen(true)}
        >
          {t('logs.filters.further')}
        </Button>
      )}
      {count > 0 && (
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          leftSection={<IconFilterOff size={14} />}
          onClick={() => {
            setCustom(false)
            clear()
          }}
        >
          {t('logs.filters.reset')}
        </Button>
      )}
      <Text id={errorsId} role="status" fz="xs" className={styles.errors}>
        {logFilterNames
          .filter((name) => errors[name] !== undefined)
          .map((name) => errorTexts(name))
          .join(' ')}
      </Text>
    </search>
  )
}
