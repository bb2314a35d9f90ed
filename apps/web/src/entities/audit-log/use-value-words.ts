import type { GridLabels, GridName } from '@kustos/contract/grid'
import { fieldName } from '@kustos/contract/log-fields'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ValueWords } from './value-lines.ts'

/** The grids whose columns name the fields of each type of subject. */
const gridOf: Readonly<Record<string, GridName>> = { web: 'webs', user: 'users', external_domain: 'domains' }

/** Names the fields of log entries and their codes as the subject's list does. */
export function useValueWords(subjectType: string | null): ValueWords {
  const { t, i18n } = useTranslation()
  const { language } = i18n
  return useMemo(() => {
    const grid = gridOf[subjectType ?? '']
    const labels: GridLabels = grid ? t(`gridLabels.${grid}`, { returnObjects: true }) : { columns: {} }
    return {
      yes: t('logs.values.yes'),
      no: t('logs.values.no'),
      none: '–',
      nameOf: (field, value) =>
        typeof value === 'number' || typeof value === 'string' ? labels.options?.[field]?.[value] : undefined,
      labelOf: (field) => labels.columns[field] ?? fieldName(language, field) ?? field,
    }
  }, [t, language, subjectType])
}
