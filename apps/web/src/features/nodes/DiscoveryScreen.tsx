import {
  type DiscoveredWeb,
  type DiscoveryFact,
  discoveryColumns,
  frameworkText,
  nodesRoutes,
} from '@kustos/contract/nodes'
import { can } from '@kustos/contract/permissions'
import { queueRoutes } from '@kustos/contract/queue'
import { websRoutes } from '@kustos/contract/webs'
import { Alert, Button, Text } from '@mantine/core'
import { IconAlertTriangle, IconDownload, IconRefresh, IconWorldSearch } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ChangeLines, countChangeLines } from '../../entities/audit-log/ChangeLines.tsx'
import { useValueLabels } from '../../entities/audit-log/use-value-labels.ts'
import { InspectionFailure } from '../../entities/inspection/InspectionFailure.tsx'
import { isUnderWay, useInspection } from '../../entities/inspection/use-inspection.ts'
import { webPath } from '../../entities/web/paths.ts'
import type { ApiError } from '../../platform/api-error.ts'
import { getListUrl } from '../../platform/list-url.ts'
import { storedTexts } from '../../platform/message-text.ts'
import { create, useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import { GridLink } from '../../ui/data-grid/GridLink.tsx'
import type { Cells } from '../../ui/data-grid/types.ts'
import { notifyFailed } from '../../ui/notify.tsx'
import { timeAgo } from '../../ui/times.ts'
import { useNow } from '../../ui/use-now.ts'
import { TakeOverDialog } from './TakeOverDialog.tsx'

const { listNodes, readDiscovery, runDiscovery } = nodesRoutes

const getId = ({ fqdn }: DiscoveredWeb) => fqdn

/** The number of differences that a row shows, one per line. */
const maxFacts = 3

const changesOf = ({ differences }: DiscoveredWeb) =>
  differences.map(({ fact, before, after }) => ({ field: fact, oldValue: before, newValue: after }))

const countLines = (row: DiscoveredWeb): number => countChangeLines(changesOf(row), maxFacts)

/** The domains on a node, compared with the inventory. */
export default function DiscoveryScreen({ id }: { readonly id: string }) {
  const { t, i18n } = useTranslation()
  const now = useNow(30_000)
  const user = useUser()
  const node = useRoute(listNodes, {}).data?.find((each) => String(each.id) === id)
  const name = node?.name ?? ''
  const query = useRoute(readDiscovery, { params: { id } })
  const [chosen, setChosen] = useState<readonly DiscoveredWeb[] | null>(null)
  const cells = useCells()
  const run = useMutation<number | null, ApiError>({
    mutationFn: () => create(runDiscovery, { params: { id } }, [readDiscovery, queueRoutes.listJobs]),
    onError: (error) => notifyFailed(name, error),
  })
  const latest = query.data?.inspection ?? undefined
  const requested = latest && isUnderWay(latest) ? latest.id : run.data
  const followed = useInspection(requested ? String(requested) : null)
  const isRunning = run.isPending || followed.isUnderWay
  const readAt = query.data?.read_at ?? null
  const read = (
    <Button leftSection={<IconRefresh size={16} />} loading={isRunning} onClick={() => run.mutate()}>
      {t(readAt === null ? 'nodes.discovery.scan' : 'nodes.discovery.scanAgain')}
    </Button>
  )
  const mayTakeOver = can(user, websRoutes.createWeb.access)
  return (
    <>
      <BackLink to={getListUrl('/nodes')} label={t('screens.nodes.title')} />
      <DataGrid
        id="discovery"
        title={t('nodes.discovery.title', { node: name })}
        grid={discoveryColumns}
        query={query}
        rows={query.data?.webs}
        getRowId={getId}
        renderCell={cells}
        countLines={countLines}
        isMuted={({ state }) => state === 'unchanged'}
        toolbar={() => read}
        note={
          <>
            {latest?.state === 'partial' && (
              <Alert color="orange" icon={<IconAlertTriangle size={16} />} mb="sm">
                {storedTexts(latest.problems, latest.problem_codes).map((problem) => (
                  <Text key={problem}>{problem}</Text>
                ))}
              </Alert>
            )}
            <InspectionFailure inspection={latest} title={t('nodes.discovery.failed')} mb="sm" />
            {readAt !== null && (
              <Text c="dimmed" mb="xs">
                {t('nodes.discovery.lastScan', { ago: timeAgo(readAt, now, i18n.language) })}
              </Text>
            )}
          </>
        }
        {...(mayTakeOver && {
          bulkActions: [
            { key: 'import', label: t('nodes.discovery.import'), icon: IconDownload, run: setChosen },
          ],
        })}
        empty={{
          icon: IconWorldSearch,
          title: t(readAt === null ? 'nodes.discovery.notScanned' : 'nodes.discovery.empty'),
          hint: t('nodes.discovery.hint'),
          action: read,
        }}
      />
      {chosen !== null && (
        <TakeOverDialog id={id} node={name} chosen={chosen} onClose={() => setChosen(null)} />
      )}
    </>
  )
}

function useCells(): Cells<DiscoveredWeb> {
  const { t } = useTranslation()
  const wordsOf = useValueLabels()
  return useMemo(() => {
    const words = {
      ...wordsOf('web'),
      labelOf: (fact: string) => t(`nodes.discovery.facts.${fact as DiscoveryFact}`),
    }
    const unlessUnknown = (fact: (row: DiscoveredWeb) => unknown) => (row: DiscoveredWeb) =>
      row.state !== 'missing' && fact(row) === null ? (
        <Text span inherit c="dimmed">
          {t('nodes.discovery.unknown')}
        </Text>
      ) : null
    return {
      fqdn: ({ fqdn, web_id: web }) => (web === null ? fqdn : <GridLink to={webPath(web)}>{fqdn}</GridLink>),
      differences: (row) =>
        row.differences.length === 0 ? null : (
          <ChangeLines
            changes={changesOf(row)}
            words={words}
            most={maxFacts}
            more={(count) => t('logs.more', { count })}
          />
        ),
      framework: unlessUnknown(frameworkText),
      php_version: unlessUnknown(({ php_version }) => php_version),
      databases: unlessUnknown(({ databases }) => databases),
    }
  }, [t, wordsOf])
}
