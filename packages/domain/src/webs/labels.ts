import type { GridLabels, GridLanguage } from '@kustos/contract/grid'
import { labels as en } from '@kustos/contract/webs/labels'
import de from '@kustos/contract/webs/labels.de.json' with { type: 'json' }

/** Labels of the grids that are exported. */
export const labels: Readonly<Record<GridLanguage, Readonly<Record<'webs' | 'tracking', GridLabels>>>> = {
  en,
  de,
}
