import { type Check, type CheckField, defaultCheck } from '@kustos/contract/checks'
import { useTranslation } from 'react-i18next'

type Value = Check['own'][CheckField]

/** Functions that say what a setting is, and where it comes from. */
export function useCheckTexts() {
  const { t } = useTranslation()
  const values = t('checks.values', { returnObjects: true })

  function textOf(field: CheckField, value: Value): string {
    if (typeof value === 'boolean') return value ? values.yes : values.no
    if (Array.isArray(value))
      return value.join(', ') || (field === 'redirect_hosts' ? values.anywhere : values.none)
    if (field === 'statuses' && value === defaultCheck.statuses) return values.statuses
    if (field === 'slow_ms') return value === 0 ? values.never : `${value} ms`
    if (field === 'timeout_seconds') return `${value} s`
    return value === '' ? values.noText : String(value).replaceAll(',', ', ')
  }

  const sourceOf = ({ kind, name }: Check['sources'][CheckField]): string | null =>
    kind === 'web' ? null : t(`checks.sources.${kind}`, { name: name ?? '' })

  return { textOf, sourceOf }
}
