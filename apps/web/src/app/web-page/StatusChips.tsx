import { maintenanceRoutes } from '@kustos/contract/maintenance'
import { monitoringRoutes } from '@kustos/contract/monitoring'
import { type Web, webColumns } from '@kustos/contract/webs'
import { Anchor } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { WebDegradedChip } from '../../entities/incident/DegradedChip.tsx'
import { DownChip } from '../../entities/incident/DownFor.tsx'
import { HttpChip } from '../../entities/incident/HttpChip.tsx'
import { WebMaintenanceChip } from '../../entities/maintenance/WebMaintenanceChip.tsx'
import { Can } from '../../ui/Can.tsx'
import { useLabelledGrid } from '../../ui/data-grid/use-labelled-grid.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'

const shown = ['status', 'domain_status', 'domain_state'] as const

export function StatusChips({ web }: { readonly web: Web }) {
  const { t } = useTranslation()
  const { columns } = useLabelledGrid(webColumns)
  return (
    <>
      <Anchor
        href={`https://${web.fqdn}`}
        target="_blank"
        rel="noopener noreferrer"
        c="dimmed"
        lh={1}
        aria-label={t('webs.openNamed', { fqdn: web.fqdn })}
      >
        <IconExternalLink size={16} aria-hidden="true" />
      </Anchor>
      {web.down_since !== null && <DownChip id={web.id} since={web.down_since} />}
      {shown.map((key) => {
        const column = columns.find((known) => known.key === key)
        const value = column?.value(web)
        const option = column?.options?.find((known) => known.value === value)
        return option && <StatusChip key={key} tone={option.tone ?? 'grey'} text={option.label} />
      })}
      {web.monitoring_web_active === 1 && (
        <Can access={monitoringRoutes.readMonitoredWeb.access}>
          <WebDegradedChip id={web.id} />
        </Can>
      )}
      <Can access={maintenanceRoutes.listWindows.access}>
        <WebMaintenanceChip id={web.id} />
      </Can>
      {web.http_status_code !== null && <HttpChip status={web.http_status_code} />}
    </>
  )
}
