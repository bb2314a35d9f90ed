import type { CheckEdits, CheckField } from '@kustos/contract/checks'
import { useTranslation } from 'react-i18next'
import { useCheckTexts } from './use-check-texts.ts'

/** What a batch changes in checks, a line for each field, such as "Path: /status". */
export function useCheckEditTexts(edits: CheckEdits | null): readonly string[] {
  const { t } = useTranslation()
  const { textOf } = useCheckTexts()
  return (Object.entries(edits ?? {}) as [CheckField, CheckEdits[keyof CheckEdits]][]).flatMap(
    ([name, value]) => {
      const field = t(`checks.fields.${name}`)
      if (value === undefined) return []
      return value === null ? t('checks.many.inherited', { field }) : `${field}: ${textOf(name, value)}`
    },
  )
}
