import { type Batch, type BatchTarget, batchesRoutes, batchTargetColumns } from '@kustos/contract/batches'
import { deploymentRoutes } from '@kustos/contract/deployment'
import { formatTime } from '@kustos/contract/grid'
import { can } from '@kustos/contract/permissions'
import { websRoutes } from '@kustos/contract/webs'
import {
  IconArrowBackUp,
  IconPlayerStop,
  IconRotateClockwise,
  IconTerminal2,
  IconWorld,
} from '@tabler/icons-react'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { webPath } from '../../entities/web/paths.ts'
import { getListUrl } from '../../platform/list-url.ts'
import { storedText } from '../../platform/message-text.ts'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { ControlButton } from '../../ui/ControlButton.tsx'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import { GridLink } from '../../ui/data-grid/GridLink.tsx'
import type { Cells, RowActions } from '../../ui/data-grid/types.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { BatchProgress } from './BatchProgress.tsx'
import { useBatchControls } from './use-batch-controls.tsx'

/** Fallback for missed events. */
const pollIntervalMs = 10_000

/** What needs somebody stands above the others, which keep their order. */
const rank = ({ state }: BatchTarget) => (state === 'failed' ? 0 : state === 'skipped' ? 1 : 2)

const getId = ({ web_id }: BatchTarget) => web_id

export default function BatchScreen({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  return (
    <>
      <BackLink to={getListUrl('/batches')} label={t('batches.back')} />
      {/^[1-9]\d{0,9}$/.test(id) ? <Loaded id={Number(id)} /> : <Missing id={id} />}
    </>
  )
}

function Missing({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  return <EmptyState icon={IconWorld} title={t('batches.missing', { id })} hint={t('batches.missingHint')} />
}

function Loaded({ id }: { readonly id: number }) {
  const { t } = useTranslation()
  const user = useUser()
  const query = useRoute(
    batchesRoutes.readBatch,
    { params: { id } },
    { refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? pollIntervalMs : false) },
  )
  const batch = query.data
  const unnamed = can(user, websRoutes.listWebs.access) ? 'batches.deletedWeb' : 'batches.hiddenWeb'
  const rows = useMemo(
    () =>
      batch?.targets
        .map((target) => ({
          ...target,
          // Search and sort use the texts on screen.
          fqdn: target.fqdn ?? t(unnamed, { id: target.web_id }),
          error: target.error && storedText(target.error, target.error_code, target.error_params),
        }))
        .sort((a, b) => rank(a) - rank(b)),
    [batch, unnamed, t],
  )
  const mayOpenWeb = can(user, websRoutes.readWeb.access)
  const mayOpenDeployment = can(user, deploymentRoutes.readDeployment.access)
  const cells = useMemo((): Cells<BatchTarget> => {
    // Its log says what the web's row has no room for.
    const ofDeployment = (text: string | null, { deployment_id: deployment }: BatchTarget) =>
      text !== null && deployment !== null && mayOpenDeployment ? (
        <GridLink to={`/queue/${deployment}`}>{text}</GridLink>
      ) : (
        text
      )
    return {
      fqdn: ({ web_id, fqdn }) => (mayOpenWeb ? <GridLink to={webPath(web_id)}>{fqdn}</GridLink> : fqdn),
      error: (target) => ofDeployment(target.error, target),
      started_at: (target) => ofDeployment(target.started_at && formatTime(target.started_at), target),
    }
  }, [mayOpenWeb, mayOpenDeployment])
  const rowActions = useCallback(
    ({ deployment_id: deployment, web_id }: BatchTarget): RowActions => [
      mayOpenDeployment &&
        deployment !== null && {
          key: 'deployment',
          label: t('actions.showDeployment'),
          icon: IconTerminal2,
          to: `/queue/${deployment}`,
        },
      mayOpenWeb && { key: 'web', label: t('actions.show.label'), icon: IconWorld, to: webPath(web_id) },
    ],
    [t, mayOpenDeployment, mayOpenWeb],
  )
  // An id that is too large is rejected as input.
  if (query.error?.status === 404 || query.error?.status === 422) return <Missing id={String(id)} />
  return (
    <DataGrid
      id="batchTargets"
      title={
        batch === undefined
          ? t('batches.request.title', { id })
          : `${t(`gridLabels.batches.options.action.${batch.action}`)} · ${t('actions.webs', { count: batch.total })}`
      }
      grid={batchTargetColumns}
      query={query}
      rows={rows}
      getRowId={getId}
      renderCell={cells}
      // Without a right to what they lead to, each row would have an empty menu.
      {...((mayOpenDeployment || mayOpenWeb) && { rowActions })}
      note={batch && <BatchProgress batch={batch} />}
      toolbar={() => batch && <Controls batch={batch} />}
    />
  )
}

function Controls({ batch }: { readonly batch: Batch }) {
  const { t } = useTranslation()
  const { retry, cancel, revert } = useBatchControls(batch)
  return (
    <>
      <ControlButton
        control={retry}
        label={t('batches.retry', { count: retry?.webs ?? 0 })}
        icon={IconRotateClockwise}
        isPrimary={batch.counts.failed + batch.counts.cancelled > 0}
      />
      <ControlButton control={revert} label={t('batches.revert')} icon={IconArrowBackUp} />
      <ControlButton
        control={cancel}
        label={t('batches.cancel', { count: cancel?.webs ?? 0 })}
        icon={IconPlayerStop}
      />
    </>
  )
}
