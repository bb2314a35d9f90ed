import { type WebList, websRoutes } from '@kustos/contract/webs'
import { useTranslation } from 'react-i18next'
import { useRoute } from '../../platform/query.ts'
import { QueryFigures } from './FigureList.tsx'
import { countFigures, figureLinks } from './web-figures.ts'

// At module scope, so that react-query does not count again on every render.
const countWebs = ({ data }: WebList) => countFigures(data, new Date())

/** Counted from the response of the web list, so opening the list needs no second request. */
export function WebFigures() {
  const { t } = useTranslation()
  const query = useRoute(websRoutes.listWebs, {}, { select: countWebs })
  const labels = t('dashboard.figures', { returnObjects: true })
  return <QueryFigures query={query} labels={labels} links={figureLinks(new Date())} />
}
