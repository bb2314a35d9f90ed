import { isListed, trackingGridAt, type Web, websRoutes } from '@kustos/contract/webs'
import { Switch } from '@mantine/core'
import { IconRadar2 } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { useWebActions } from '../../entities/web/actions/use-web-actions.tsx'
import { ExportButton } from '../../entities/web/ExportButton.tsx'
import { useRememberListUrl } from '../../platform/list-url.ts'
import { useRoute } from '../../platform/query.ts'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import { useNow } from '../../ui/use-now.ts'
import { trackingCellsAt } from './tracking-cells.tsx'
import { toWithoutConsent } from './tracking-grid.ts'
import { useViolations } from './use-violations.ts'

const { listWebs, exportTracking } = websRoutes

const getId = ({ id }: Web) => id

/** Milliseconds between checks for stale entries. */
const staleCheckIntervalMs = 600_000

export default function TrackingListScreen() {
  const { t } = useTranslation()
  // Entries become stale while the list is open.
  const now = Math.floor(useNow(staleCheckIntervalMs) / 1000)
  useRememberListUrl()
  const query = useRoute(listWebs, { query: { tracking: '1' } })
  const list = query.data
  const { query: violationsQuery, byWeb: violations } = useViolations()
  const [searchParams] = useSearchParams()
  const onlyViolations = searchParams.get('before_consent') === '1'
  const listed = useMemo(() => list?.data.filter((web) => isListed(web, list.internal_marker)), [list])
  const violating = useMemo(
    () => violations && listed?.filter(({ id }) => violations.has(id)),
    [listed, violations],
  )
  const grid = useMemo(() => trackingGridAt(now, toWithoutConsent(violations)), [now, violations])
  const cells = useMemo(() => trackingCellsAt(now, violations), [now, violations])
  const { actionsOf, bulkActionsFor } = useWebActions('trackingList', list?.nodes)
  return (
    <DataGrid
      id="tracking"
      storageKey="trackingListColumnSet"
      title={t('screens.hosting-tracking.title')}
      grid={grid}
      // Without the violations there is nothing to show.
      query={onlyViolations && violationsQuery.isError ? violationsQuery : query}
      rows={onlyViolations ? violating : listed}
      hidesEmptyColumns
      getRowId={getId}
      renderCell={cells}
      rowActions={actionsOf}
      bulkActions={bulkActionsFor('active')}
      empty={{ icon: IconRadar2, title: t('tracking.list.empty'), hint: t('tracking.list.emptyHint') }}
      toolbar={(view) => (
        <>
          <Switch
            label={t('tracking.list.onlyWithoutConsent', { count: violating?.length ?? 0 })}
            checked={onlyViolations}
            onChange={() => view.changeSearchParams({ before_consent: onlyViolations ? null : '1' })}
          />
          <ExportButton
            {...view}
            route={exportTracking}
            unavailable={onlyViolations ? t('tracking.list.exportsAll') : undefined}
          />
        </>
      )}
    />
  )
}
