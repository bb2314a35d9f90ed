import {
  type MonitoredWeb,
  monitoredWebColumns,
  monitoringRoutes,
  uptimePath,
  watchState,
  watchStateOptions,
} from '@kustos/contract/monitoring'
import { IconChartLine, IconHeartRateMonitor } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { customerCells } from '../../entities/customer/customer-cells.tsx'
import { DegradedChip } from '../../entities/incident/DegradedChip.tsx'
import { DownFor } from '../../entities/incident/DownFor.tsx'
import { HttpChip } from '../../entities/incident/HttpChip.tsx'
import { RoundNote } from '../../entities/incident/RoundNote.tsx'
import { watchReasonText } from '../../entities/incident/reason-text.ts'
import { MaintenanceMark } from '../../entities/maintenance/MaintenanceChip.tsx'
import { nodeCells } from '../../entities/node/node-cells.tsx'
import { webHref } from '../../entities/web/paths.ts'
import { useRememberListUrl } from '../../platform/list-url.ts'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import { GridLink } from '../../ui/data-grid/GridLink.tsx'
import type { Cells, Texts } from '../../ui/data-grid/types.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { MovedWebs } from './MovedWebs.tsx'
import styles from './monitoring.module.css'

const { listMonitoredWebs, readMonitoring } = monitoringRoutes

const getId = ({ id }: MonitoredWeb) => id
const texts: Texts<MonitoredWeb> = { reason: watchReasonText }
const isUnmonitored = (web: MonitoredWeb) => web.monitoring_web_active === 0

export default function CheckUptimeScreen() {
  const { t } = useTranslation()
  useRememberListUrl()
  const query = useRoute(listMonitoredWebs, {})
  const state = useRoute(readMonitoring, {})
  const cells = useCells()
  return (
    <DataGrid
      id="monitoring"
      storageKey="monitoringListColumnSet"
      title={t('screens.monitoring-webs.title')}
      grid={monitoredWebColumns}
      query={query}
      rows={query.data?.data}
      getRowId={getId}
      renderCell={cells}
      texts={texts}
      isMuted={isUnmonitored}
      note={
        <>
          <div className={styles.note}>
            {state.data !== undefined && (
              <RoundNote
                state={state.data}
                listed={query.data && query.data.data.length + query.data.moved.length}
              />
            )}
          </div>
          <MovedWebs webs={query.data?.moved ?? []} />
        </>
      }
      empty={{
        icon: IconHeartRateMonitor,
        title: t('monitoring.webs.empty'),
        hint: t('monitoring.webs.emptyHint'),
      }}
    />
  )
}

function useCells(): Cells<MonitoredWeb> {
  const { t } = useTranslation()
  const user = useUser()
  return useMemo(
    () => ({
      ...customerCells,
      ...nodeCells,
      fqdn: (web) => {
        const href = webHref(user, web)
        // Users who may only see the uptime use its button.
        return href === null || href === uptimePath(web) ? null : <GridLink to={href}>{web.fqdn}</GridLink>
      },
      state(web) {
        const state = watchState(web)
        if (state === 'degraded' && web.maintenance_until === null) return <DegradedChip web={web} />
        if ((web.down_since === null && web.maintenance_until === null) || isUnmonitored(web)) return null
        const tone = watchStateOptions.find(({ value }) => value === state)?.tone ?? 'grey'
        return (
          <span className={styles.down}>
            {state === 'degraded' ? (
              <DegradedChip web={web} />
            ) : (
              <StatusChip tone={tone} text={t(`monitoring.states.${state}`)} />
            )}
            {web.down_since !== null && <DownFor since={web.down_since} />}
            {web.maintenance_until !== null && <MaintenanceMark until={web.maintenance_until} />}
          </span>
        )
      },
      http_status_code: (web) => {
        const { http_status_code: status } = web
        if (!isUnmonitored(web)) return <HttpChip status={status} />
        // The last probe may be old, so its status has no colour.
        return <StatusChip tone="grey" text={status === null ? t('monitoring.noAnswer') : String(status)} />
      },
      actions: (web) => (
        <Link
          to={uptimePath(web)}
          tabIndex={-1}
          data-main=""
          className={styles.button}
          aria-label={t('monitoring.webs.uptimeNamed', { fqdn: web.fqdn })}
        >
          <IconChartLine size={14} aria-hidden="true" />
          {t('monitoring.webs.uptime')}
        </Link>
      ),
    }),
    [t, user],
  )
}
