import {
  type IncidentEntry,
  incidentColumnsAt,
  incidentState,
  incidentsRoutes,
} from '@kustos/contract/incidents'
import { Button } from '@mantine/core'
import { IconCheck, IconCircleCheck, IconHistory } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { customerCells } from '../../entities/customer/customer-cells.tsx'
import { HttpChip } from '../../entities/incident/HttpChip.tsx'
import { incidentPath } from '../../entities/incident/paths.ts'
import { NodeLink } from '../../entities/node/NodeLink.tsx'
import { useRememberListUrl } from '../../platform/list-url.ts'
import { useRoute } from '../../platform/query.ts'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import { GridLink } from '../../ui/data-grid/GridLink.tsx'
import type { BulkAction, Cells, Texts } from '../../ui/data-grid/types.ts'
import { notifyFailed } from '../../ui/notify.tsx'
import { formatDuration } from '../../ui/times.ts'
import { useNow } from '../../ui/use-now.ts'
import { incidentReason } from './incident-title.ts'
import { incidentLimits, mayLackIncidents } from './limits.ts'
import { useAcknowledge } from './use-acknowledge.ts'
import { useIncidentTitle } from './use-incident-title.ts'

const getId = ({ id }: IncidentEntry) => id

/** Milliseconds between updates of how long incidents have been open, for the order and the filters of the list. */
const durationIntervalMs = 60_000

/** How long an incident has been open. Its row is rendered only when the incident changes. */
function OpenFor({ since }: { readonly since: string }) {
  const { t } = useTranslation()
  return formatDuration((useNow(10_000) - Date.parse(since)) / 1000, t)
}

/** Open incidents first, oldest first, then ended ones, latest first. */
export default function IncidentsScreen() {
  const { t } = useTranslation()
  useRememberListUrl()
  const titleOf = useIncidentTitle()
  const [limit, setLimit] = useState<number>(incidentLimits.first)
  const query = useRoute(
    incidentsRoutes.listIncidentEntries,
    { query: { limit: String(limit) } },
    { placeholderData: keepPreviousData },
  )
  const rows = query.data?.data
  const hasOpen = rows?.some(({ ended_at }) => ended_at === null) ?? false
  const now = useNow(hasOpen ? durationIntervalMs : null)
  const grid = useMemo(() => incidentColumnsAt(now), [now])
  const texts = useMemo(
    (): Texts<IncidentEntry> => ({
      subject: titleOf,
      reason: (row) => incidentReason(t, row),
    }),
    [t, titleOf],
  )
  const cells = useMemo(
    (): Cells<IncidentEntry> => ({
      subject: (row) => <GridLink to={incidentPath(row.id)}>{titleOf(row)}</GridLink>,
      duration: ({ started_at: start, ended_at: end }) =>
        end === null ? (
          <OpenFor since={start} />
        ) : (
          formatDuration((Date.parse(end) - Date.parse(start)) / 1000, t)
        ),
      node: ({ node }) => node && <NodeLink name={node} />,
      customer: ({ customers: [customer, ...others] }) =>
        customer !== undefined && others.length === 0 ? customerCells.customer?.({ customer }) : null,
      status: ({ status }) => <HttpChip status={status} />,
    }),
    [t, titleOf],
  )
  const acknowledge = useAcknowledge()
  const acknowledgeSelected: BulkAction<IncidentEntry> = {
    key: 'acknowledge',
    label: t('attention.acknowledge'),
    icon: IconCheck,
    run: (selected, clear) => void acknowledgeMany(selected, clear),
  }
  async function acknowledgeMany(selected: readonly IncidentEntry[], clear: () => void) {
    const open = selected.filter((row) => incidentState(row) === 'open')
    const [first] = open
    if (first === undefined) return notifyFailed(t('attention.acknowledge'), t('incidents.noneOpen'))
    const subject = open.length === 1 ? titleOf(first) : t('incidents.count', { count: open.length })
    if (await acknowledge(subject, open.map(getId))) clear()
  }
  return (
    <DataGrid
      id="incidents"
      title={t('screens.monitoring-incidents.title')}
      grid={grid}
      query={query}
      rows={rows}
      getRowId={getId}
      getRowName={titleOf}
      renderCell={cells}
      texts={texts}
      hidesEmptyColumns
      bulkActions={[acknowledgeSelected]}
      empty={{ icon: IconCircleCheck, title: t('incidents.empty'), hint: t('incidents.emptyHint') }}
      toolbar={() =>
        limit < incidentLimits.most &&
        mayLackIncidents(rows ?? [], limit) && (
          <Button
            variant="default"
            leftSection={<IconHistory size={16} />}
            loading={query.isPlaceholderData}
            onClick={() => setLimit(incidentLimits.most)}
          >
            {t('incidents.more')}
          </Button>
        )
      }
    />
  )
}
