import { can } from '@kustos/contract/permissions'
import { trackingRoutes } from '@kustos/contract/tracking'
import { isListed, trackingColumnsAt, type Web, websRoutes } from '@kustos/contract/webs'
import { IconCopy, IconExternalLink, IconPencil, IconRadar2, IconRefresh } from '@tabler/icons-react'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router-dom'
import { useRoute } from '../../app/query.ts'
import { useUser } from '../../app/session.ts'
import { copyNoted } from '../../ui/copy.ts'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import type { RowAction } from '../../ui/data-grid/types.ts'
import { ExportButton } from '../../ui/ExportButton.tsx'
import { useNow } from '../../ui/use-now.ts'
import { pagePath, rememberListAddress } from './paths.ts'
import { useBulkRefresh, useRefresh } from './use-refresh.tsx'
import { useTrackingCells } from './use-tracking-cells.tsx'

const { listWebs, exportTracking, editWeb } = websRoutes

const idOf = ({ id }: Web) => id
const fqdnOf = ({ fqdn }: Web) => fqdn
const first = ['fqdn']

/** Milliseconds after which what is stale is told anew. */
const aWhile = 600_000

/** What is known of the trackers of every active web that is online. */
export function TrackingListScreen() {
  const { t } = useTranslation()
  const { search } = useLocation()
  // Entries become stale while somebody looks.
  const now = Math.floor(useNow(aWhile) / 1000)
  useEffect(() => rememberListAddress(search), [search])
  const query = useRoute(listWebs, {})
  const list = query.data
  const rows = useMemo(() => list?.data.filter((web) => isListed(web, list.internal_marker)), [list])
  const grid = useMemo(() => trackingColumnsAt(now), [now])
  const cells = useTrackingCells(now)
  const rowActions = useRowActions()
  const bulkActions = useBulkRefresh()
  return (
    <DataGrid
      id="tracking"
      storageKey="trackingListColumnSet"
      title={t('screens.hosting-tracking.title')}
      grid={grid}
      first={first}
      rows={rows}
      getRowId={idOf}
      getRowName={fqdnOf}
      renderCell={cells}
      rowActions={rowActions}
      {...(bulkActions && { bulkActions })}
      error={query.error}
      onRetry={() => void query.refetch()}
      isRetrying={query.isFetching}
      empty={{ icon: IconRadar2, title: t('tracking.list.empty'), hint: t('tracking.list.emptyHint') }}
      toolbar={(view) => <ExportButton {...view} route={exportTracking} />}
    />
  )
}

function useRowActions(): (web: Web) => readonly RowAction[] {
  const { t } = useTranslation()
  const user = useUser()
  const refresh = useRefresh()
  return (web) => {
    const actions: readonly (RowAction | false)[] = [
      can(user, trackingRoutes.updateTracking.access) && {
        key: 'refresh',
        label: t('tracking.list.refresh'),
        icon: <IconRefresh size={16} />,
        run: () => void refresh(web, true),
      },
      {
        key: 'page',
        label: t('tracking.list.open'),
        icon: <IconRadar2 size={16} />,
        to: pagePath(web.id),
      },
      can(user, editWeb.access) && {
        key: 'edit',
        label: t('tracking.list.edit'),
        icon: <IconPencil size={16} />,
        to: `/hosting/edit/${web.id}`,
      },
      {
        key: 'open',
        label: t('tracking.list.visit'),
        icon: <IconExternalLink size={16} />,
        run: () => void window.open(`https://${web.fqdn}`, '_blank', 'noopener,noreferrer'),
      },
      {
        key: 'copy',
        label: t('tracking.list.copy'),
        icon: <IconCopy size={16} />,
        run: () => void copyNoted(web.fqdn, t('tracking.list.copied')),
      },
    ]
    return actions.filter((action) => action !== false)
  }
}
