import type { Batch, WebEdits } from '@kustos/contract/batches'
import { websRoutes } from '@kustos/contract/webs'
import { useTranslation } from 'react-i18next'
import { useRoute } from '../../platform/query.ts'

/** What an edit changes, a line for each field, such as "Customer: BERG". */
export function useEditTexts(edits: WebEdits | Batch['edits']): readonly string[] {
  const { t } = useTranslation()
  const { data: categories = [] } = useRoute(websRoutes.listCategories, {}, { enabled: edits !== null })
  const { columns, options } = t('gridLabels.webs', { returnObjects: true })
  const labels: Readonly<Record<string, string>> = {
    ...columns,
    ...t('webs.form.fields', { returnObjects: true }),
    add_categories: t('batches.addCategories'),
    remove_categories: t('batches.removeCategories'),
    add_tags: t('batches.addTags'),
    remove_tags: t('batches.removeTags'),
  }
  const places: Readonly<Record<string, string>> = options.domain_state
  const nameOf = (id: number) => categories.find((category) => category.id === id)?.name ?? String(id)
  const textOf = (field: string, value: NonNullable<unknown> | null) => {
    if (Array.isArray(value))
      return value.map((item) => (typeof item === 'number' ? nameOf(item) : item)).join(', ')
    if (field === 'domain_state') return places[String(value)] ?? '–'
    if (field === 'monitoring_web_active') return t(value === 1 ? 'batches.yes' : 'batches.no')
    return value === null || value === '' ? '–' : String(value)
  }
  return Object.entries(edits ?? {}).flatMap(([field, value]) =>
    value === undefined || (Array.isArray(value) && value.length === 0)
      ? []
      : [`${labels[field] ?? field}: ${textOf(field, value)}`],
  )
}
