import type { Tag } from '@kustos/contract/tags'
import { useTranslation } from 'react-i18next'

/** Says what carries a tag and how many views filter by it: "Used by 20 webs and 1 customer. 2 saved views filter by it." */
export function useUsageText(): (tag: Pick<Tag, 'usage'>) => string {
  const { t, i18n } = useTranslation()
  return ({ usage }) => {
    if (usage === null) return ''
    const { webs, customers, nodes, views } = usage
    const parts = [
      webs !== null && webs > 0 && t('tags.usage.webs', { count: webs }),
      customers !== null && customers > 0 && t('tags.usage.customers', { count: customers }),
      nodes !== null && nodes > 0 && t('tags.usage.nodes', { count: nodes }),
    ].filter((part) => part !== false)
    const by = new Intl.ListFormat(i18n.language).format(parts)
    return [
      parts.length === 0 ? t('tags.usage.none') : t('tags.usage.carried', { by }),
      [webs, customers, nodes].includes(null) && t('tags.usage.hidden'),
      views > 0 && t('tags.usage.views', { count: views }),
    ]
      .filter((sentence) => sentence !== false)
      .join(' ')
  }
}
