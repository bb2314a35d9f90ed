import { externalDomainColumns } from '@kustos/contract/external-domains'
import { type GridColumns, localise } from '@kustos/contract/grid'
import { fieldName } from '@kustos/contract/log-fields'
import { userColumns } from '@kustos/contract/users'
import { webColumns } from '@kustos/contract/webs'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ValueWords } from './value-lines.ts'

type Named = Pick<GridColumns<never>['columns'][number], 'key' | 'label' | 'options'>

/** The columns that name the fields of each type of subject. */
const columnsOf: Readonly<Record<string, (language: string) => readonly Named[]>> = {
  web: (language) => localise(webColumns, language).columns,
  user: (language) => localise(userColumns, language).columns,
  external_domain: (language) => localise(externalDomainColumns, language).columns,
}

/** Names the fields of log entries and their codes as the subject's list does. */
export function useValueWords(subjectType: string | null): ValueWords {
  const { t, i18n } = useTranslation()
  const { language } = i18n
  return useMemo(() => {
    const columns = (subjectType === null ? undefined : columnsOf[subjectType])?.(language) ?? []
    const columnOf = (field: string) => columns.find(({ key }) => key === field)
    return {
      yes: t('logs.values.yes'),
      no: t('logs.values.no'),
      none: '–',
      nameOf: (field, value) =>
        typeof value === 'number' || typeof value === 'string'
          ? columnOf(field)?.options?.find((option) => option.value === String(value))?.label
          : undefined,
      labelOf: (field) => columnOf(field)?.label ?? fieldName(language, field) ?? field,
    }
  }, [t, language, subjectType])
}
