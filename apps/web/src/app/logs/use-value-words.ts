import { webColumns } from '@kustos/contract/webs'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocalColumns } from '../../ui/data-grid/use-local-columns.ts'
import type { ValueWords } from './value-lines.ts'

/** How values of the log read in the user's language. Codes of webs are called as the web list calls them. */
export function useValueWords(subjectType: string | null): ValueWords {
  const { t } = useTranslation()
  const { columns } = useLocalColumns(webColumns)
  return useMemo(
    () => ({
      yes: t('logs.values.yes'),
      no: t('logs.values.no'),
      none: '–',
      nameOf: (field, value) =>
        subjectType === 'web' && (typeof value === 'number' || typeof value === 'string')
          ? columns
              .find(({ key }) => key === field)
              ?.options?.find((option) => option.value === String(value))?.label
          : undefined,
    }),
    [t, columns, subjectType],
  )
}
