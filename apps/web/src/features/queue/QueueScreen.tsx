import { can } from '@kustos/contract/permissions'
import { deploymentColumns, type QueueJob, queueColumns, queueRoutes } from '@kustos/contract/queue'
import { websRoutes } from '@kustos/contract/webs'
import { Switch } from '@mantine/core'
import {
  IconListCheck,
  IconPencil,
  IconPlayerStop,
  IconRotateClockwise,
  IconTerminal2,
  IconWorld,
} from '@tabler/icons-react'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { useDeploymentActions } from '../../entities/deployment/use-deployment-actions.ts'
import { webPath } from '../../entities/web/paths.ts'
import { useRememberListUrl } from '../../platform/list-url.ts'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { copyAction } from '../../ui/data-grid/copy-action.ts'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import { GridLink } from '../../ui/data-grid/GridLink.tsx'
import type { Cells, RowActions } from '../../ui/data-grid/types.ts'
import { elapsedTime, formatClock } from '../../ui/times.ts'
import { useNow } from '../../ui/use-now.ts'
import { jobText } from './job-text.ts'

/** Jobs other than deployments send no events. */
const pollIntervalMs = 10_000

/** Ids are unique per queue only. */
const getId = ({ queue, id }: QueueJob) => `${queue} ${id}`

const isDeployment = (job: QueueJob) => job.deployment_id !== null

const createCells = (language: string): Cells<QueueJob> => ({
  job_name: ({ deployment_id: deployment, displayName }) =>
    deployment === null ? null : <GridLink to={`/queue/${deployment}`}>{displayName}</GridLink>,
  duration: ({ state, started_at, ended_at }) =>
    state === 'running' && started_at !== null ? (
      <RunningFor since={started_at} />
    ) : (
      ended_at && elapsedTime({ started_at, ended_at }, 0, language)
    ),
})

/** How long a deployment has been running. Its row is rendered only when the deployment changes. */
function RunningFor({ since }: { readonly since: string }) {
  return formatClock(useNow(1000) - Date.parse(since))
}

export default function QueueScreen() {
  const { t, i18n } = useTranslation()
  useRememberListUrl()
  const [searchParams] = useSearchParams()
  const showsAll = searchParams.get('jobs') === 'all'
  // Search and sort use the names on screen.
  const select = useCallback(
    (jobs: readonly QueueJob[]) =>
      jobs
        .filter((job) => showsAll || isDeployment(job))
        .map((job) => ({ ...job, displayName: jobText(t, job) })),
    [t, showsAll],
  )
  const query = useRoute(queueRoutes.listJobs, {}, { refetchInterval: pollIntervalMs, select })
  const user = useUser()
  const cells = useMemo(() => createCells(i18n.language), [i18n.language])

  const actionsOf = useDeploymentActions()
  const controlsOf = ({ deployment_id: id, kind, state, displayName: name }: QueueJob) =>
    id !== null && kind !== null ? actionsOf({ id, kind, state, name }) : { retry: null, cancel: null }

  const rowActions = (job: QueueJob): RowActions => {
    const { id, deployment_id: deployment, web_id: web } = job
    const { retry, cancel } = controlsOf(job)
    return [
      deployment !== null && {
        key: 'deployment',
        label: t('queue.openDeployment'),
        icon: IconTerminal2,
        to: `/queue/${deployment}`,
      },
      retry !== null && {
        key: 'retry',
        label: t('deployment.page.retry'),
        icon: IconRotateClockwise,
        disabled: retry.isRunning,
        run: retry.run,
      },
      cancel !== null && {
        key: 'cancel',
        label: t('deployment.page.cancelYes'),
        icon: IconPlayerStop,
        disabled: cancel.isRunning,
        run: cancel.run,
      },
      web !== null &&
        can(user, websRoutes.readWeb.access) && {
          key: 'page',
          label: t('actions.show.label'),
          icon: IconWorld,
          to: webPath(web),
        },
      web !== null &&
        can(user, websRoutes.editWeb.access) && {
          key: 'web',
          label: t('queue.editWeb'),
          icon: IconPencil,
          to: `/hosting/edit/${web}`,
        },
      copyAction(id, t('queue.copy'), t('queue.copied')),
    ]
  }

  return (
    <DataGrid
      id="queue"
      title={t('screens.queue.title')}
      grid={showsAll ? queueColumns : deploymentColumns}
      query={query}
      rows={query.data}
      getRowId={getId}
      renderCell={cells}
      hidesEmptyColumns
      rowActions={rowActions}
      toolbar={({ changeSearchParams }) => (
        <Switch
          label={t('queue.showAll')}
          checked={showsAll}
          onChange={() => changeSearchParams({ jobs: showsAll ? null : 'all' })}
        />
      )}
      empty={
        showsAll
          ? { icon: IconListCheck, title: t('queue.empty'), hint: t('queue.emptyHint') }
          : { icon: IconListCheck, title: t('queue.noDeployments'), hint: t('queue.noDeploymentsHint') }
      }
    />
  )
}
