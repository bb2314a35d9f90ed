import { type WebList, websRoutes } from '@kustos/contract/webs'
import { useTranslation } from 'react-i18next'
import { useRoute } from '../../platform/query.ts'
import { QueryFigures } from './FigureList.tsx'
import { figureLinks, figuresOf } from './web-figures.ts'

// At module scope, so that react-query does not count again on every render.
const countWebs = ({ data }: WebList) => figuresOf(data, new Date())

/** Counted from the response of the web list, so opening the list needs no second request. */
export function WebFigures() {
  const { t } = useTranslation()
  const query = useRoute(websRoutes.listWebs, {}, { select: countWebs })
  const links = figureLinks(new Date())
  const figures = (['webs', 'inactive', 'certificates', 'framework'] as const).map((name) => ({
    name,
    label: t(`dashboard.figures.${name}`),
    to: links[name],
  }))
  return <QueryFigures query={query} figures={figures} />
}
