import { formatTime } from '@kustos/contract/grid'
import { monitoringRoutes } from '@kustos/contract/monitoring'
import { useTranslation } from 'react-i18next'
import { useRoute } from '../../platform/query.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { type Degraded, degradedText } from './reason-text.ts'

/** Says that a web responds, but not as visitors need it; why and since when as a tip. */
export function DegradedChip({ web }: { readonly web: Degraded }) {
  const { t } = useTranslation()
  const { degraded_since: since } = web
  if (since === null) return null
  const tip = t('monitoring.degradedSince', { time: formatTime(since), reason: degradedText(web) })
  return (
    <span data-tip={tip}>
      <StatusChip tone="orange" text={t('monitoring.states.degraded')} />
    </span>
  )
}

/** The same of a web by its id, with the reason beside it. Nothing while it is down. */
export function WebDegradedChip({ id }: { readonly id: number }) {
  const { t } = useTranslation()
  const { data: web } = useRoute(monitoringRoutes.readMonitoredWeb, { params: { id } })
  if (web === undefined || web.degraded_since === null || web.down_since !== null) return null
  return <StatusChip tone="orange" text={`${t('monitoring.states.degraded')}: ${degradedText(web)}`} />
}
