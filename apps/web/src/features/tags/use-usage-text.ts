import type { Tag } from '@kustos/contract/tags'
import { useTranslation } from 'react-i18next'

/** Says what carries a tag: "Used by 20 webs and 1 customer." */
export function useUsageText(): (tag: Pick<Tag, 'usage'>) => string {
  const { t, i18n } = useTranslation()
  return ({ usage }) => {
    if (usage === null) return ''
    const { webs, customers, nodes } = usage
    const parts = [
      webs !== null && webs > 0 && t('tags.usage.webs', { count: webs }),
      customers !== null && customers > 0 && t('tags.usage.customers', { count: customers }),
      nodes !== null && nodes > 0 && t('tags.usage.nodes', { count: nodes }),
    ].filter((part) => part !== false)
    const hidden = [webs, customers, nodes].includes(null) ? ` ${t('tags.usage.hidden')}` : ''
    if (parts.length === 0) return `${t('tags.usage.none')}${hidden}`
    return `${t('tags.usage.carried', { by: new Intl.ListFormat(i18n.language).format(parts) })}${hidden}`
  }
}
