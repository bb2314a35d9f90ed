import { formatTime } from '@kustos/contract/grid'
import { type MonitoredWeb, monitoringRoutes } from '@kustos/contract/monitoring'
import { useTranslation } from 'react-i18next'
import { storedText } from '../../platform/message-text.ts'
import { useRoute } from '../../platform/query.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'

type Degraded = Pick<
  MonitoredWeb,
  'degraded_since' | 'degraded_reason' | 'degraded_reason_code' | 'degraded_reason_params'
>

/** Why a web is degraded, in the language of the screen. */
export const degradedText = (web: Degraded): string =>
  storedText(web.degraded_reason ?? '', web.degraded_reason_code, web.degraded_reason_params)

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
