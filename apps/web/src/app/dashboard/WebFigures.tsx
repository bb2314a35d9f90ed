import { type AttentionList, listAttention } from '@kustos/contract/attention'
import { type WebList, websRoutes } from '@kustos/contract/webs'
import { useTranslation } from 'react-i18next'
import { useRoute } from '../../platform/query.ts'
import { QueryFigures } from './FigureList.tsx'
import { countFigures, figureLinks } from './web-figures.ts'

// At module scope, so that react-query does not count again on every render.
const countWebs = ({ data }: WebList) => countFigures(data, new Date())
const countViolations = ({ kinds }: AttentionList) => ({ beforeConsent: kinds.tracking_without_consent ?? 0 })

const violations = { kind: 'tracking_without_consent', state: 'any', limit: '1' } as const
const violationLinks = { beforeConsent: '/hosting/tracking?before_consent=1' }

/** Counted from the response of the web list, so opening the list needs no second request. */
export function WebFigures() {
  const { t } = useTranslation()
  const query = useRoute(websRoutes.listWebs, {}, { select: countWebs })
  const labels = t('dashboard.figures', { returnObjects: true })
  return (
    <>
      <QueryFigures query={query} labels={labels} links={figureLinks(new Date())} />
      <ViolationFigure />
    </>
  )
}

function ViolationFigure() {
  const { t } = useTranslation()
  const query = useRoute(listAttention, { query: violations }, { select: countViolations })
  const labels = { beforeConsent: t('dashboard.figures.beforeConsent') }
  return <QueryFigures query={query} labels={labels} links={violationLinks} />
}
