import { monitoringRoutes } from '@kustos/contract/monitoring'
import { can } from '@kustos/contract/permissions'
import { trackingRoutes } from '@kustos/contract/tracking'
import { type Node, websRoutes } from '@kustos/contract/webs'
import { IconRadar2, IconTimelineEvent, IconWorld, IconZoomScan } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { pagePath } from '../features/tracking/paths.ts'
import { useRefresh as useAudit } from '../features/tracking/use-refresh.tsx'
import { type ActionableWeb, useRowActions } from '../features/webs/use-row-actions.tsx'
import type { RowAction } from '../ui/data-grid/types.ts'
import { useUser } from './session.ts'
import { webPath } from './web-paths.ts'

/** The most used first; what is not named here follows as the web list has it. */
const order = [
  'show',
  'edit',
  'refresh',
  'updateWeb',
  'backupWeb',
  'exportDatabase',
  'exportDatabaseKick',
  'importDatabase',
  'audit',
  'tracking',
  'uptime',
  'probes',
  'open',
]
const placeOf = ({ key }: RowAction) => (order.includes(key) ? order.indexOf(key) : order.length)

/**
 * Everything that a user may do with a web, and every page about it that they may see: what the web list offers, and
 * what other features have.
 * @param nodes undefined until they are there
 */
export function useWebActions(
  nodes: readonly Node[] | undefined,
): (web: ActionableWeb) => readonly RowAction[] {
  const { t } = useTranslation()
  const user = useUser()
  const rowActions = useRowActions(nodes)
  const audit = useAudit()
  return (web) => {
    const more: readonly (RowAction | false)[] = [
      can(user, websRoutes.readWeb.access) && {
        key: 'show',
        label: t('webPage.show'),
        icon: <IconWorld size={16} />,
        to: webPath(web.id),
      },
      can(user, trackingRoutes.updateTracking.access) && {
        key: 'audit',
        label: t('webPage.audit'),
        icon: <IconZoomScan size={16} />,
        run: () => void audit(web, true),
      },
      can(user, trackingRoutes.listTrackingAudits.access) && {
        key: 'tracking',
        label: t('tracking.showPage'),
        icon: <IconRadar2 size={16} />,
        to: pagePath(web.id),
      },
      can(user, monitoringRoutes.listStatistics.access) && {
        key: 'probes',
        label: t('monitoring.webs.events'),
        icon: <IconTimelineEvent size={16} />,
        to: `/monitoring/events?web=${web.id}`,
      },
    ]
    const actions = [...more.filter((action) => action !== false), ...rowActions(web)]
    return actions.toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}
