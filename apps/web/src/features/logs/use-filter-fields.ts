import { type LogFilterName, logFilterNames } from '@kustos/contract/logs'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { issueText } from '../../platform/message-text.ts'
import { fromLocal, toLocal } from '../../ui/rome-input.ts'
import { clearFilter, parseFilter, readCurrentSearchParams, setFilters } from './filter-params.ts'

export interface Option {
  readonly value: string
  readonly label: string
}

/** An option for each of the values, which may repeat. */
export const toOptions = (values: readonly string[], labelOf: (value: string) => string): Option[] =>
  [...new Set(values)].map((value) => ({ value, label: labelOf(value) }))

/** Inputs that can only have an invalid value from the URL. */
const choices: readonly LogFilterName[] = ['causer', 'result', 'within']

/** The filters in the URL, and what their inputs have in common. */
export function useFilterFields() {
  const { t } = useTranslation()
  const [searchParams, setSearchParams] = useSearchParams()
  const { filter, errors } = parseFilter(searchParams)
  const readParam = (name: LogFilterName) => searchParams.get(name) ?? ''
  const setAll = (values: Partial<Record<LogFilterName, string>>, options?: { readonly replace: boolean }) =>
    setSearchParams(setFilters(readCurrentSearchParams(), values), options)

  function findError(name: LogFilterName): string {
    const isChosen = choices.includes(name) || (name === 'subject_type' && readParam(name) !== '')
    if (isChosen) return t('logs.filters.unknown')
    if (name === 'subject_id') return t('logs.filters.invalidId')
    return name === 'to' && fromLocal(toLocal(readParam('to'))) !== ''
      ? t('logs.filters.toBeforeFrom')
      : issueText(errors[name] ?? '')
  }

  /** @param errorsId of the element with all errors, which is below the fields so that none of them moves */
  const field = (name: LogFilterName, errorsId: string) => ({
    size: 'xs' as const,
    label: t(`logs.filters.${name}`),
    error: errors[name] !== undefined,
    'aria-describedby': errors[name] === undefined ? undefined : errorsId,
  })

  return {
    readParam,
    setAll,
    set: (name: LogFilterName, value: string, options?: { readonly replace: boolean }) =>
      setAll({ [name]: value }, options),
    clear: () => setSearchParams(clearFilter(readCurrentSearchParams())),
    count: logFilterNames.filter((name) => name in filter || name in errors).length,
    errors,
    errorTexts: (name: LogFilterName) =>
      `${t(`logs.filters.${name}`)}: ${findError(name)}. ${t('logs.filters.ignored')}`,
    field,
    select: (name: LogFilterName, data: readonly Option[], errorsId: string) => ({
      ...field(name, errorsId),
      placeholder: t('logs.filters.any'),
      data: withValue(data, readParam(name)),
      value: readParam(name) === '' ? null : readParam(name),
      onChange: (value: string | null) => setAll({ [name]: value ?? '' }),
      clearable: true,
      clearButtonProps: { 'aria-label': t('logs.filters.clear', { name: t(`logs.filters.${name}`) }) },
      nothingFoundMessage: t('logs.filters.noMatch'),
    }),
  }
}

/** Adds the value from the URL if no option has it. */
const withValue = (data: readonly Option[], value: string) =>
  value === '' || data.some((option) => option.value === value)
    ? [...data]
    : [...data, { value, label: value }]
