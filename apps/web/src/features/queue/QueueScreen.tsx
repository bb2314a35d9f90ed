import { can } from '@kustos/contract/permissions'
import { type QueueJob, queueColumns, queueRoutes } from '@kustos/contract/queue'
import { websRoutes } from '@kustos/contract/webs'
import { Switch } from '@mantine/core'
import { IconCopy, IconListCheck, IconPencil, IconTerminal2, IconWorld } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { webPath } from '../../entities/web/paths.ts'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { copyAndNotify } from '../../ui/copy.ts'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import { GridLink } from '../../ui/data-grid/GridLink.tsx'
import type { RowAction } from '../../ui/data-grid/types.ts'

/** Jobs other than deployments send no events, in milliseconds. */
const pollIntervalMs = 10_000

/** Ids are unique per queue only. */
const idOf = ({ queue, id }: QueueJob) => `${queue} ${id}`
const nameOf = ({ displayName }: QueueJob) => displayName

const cells: Readonly<Record<string, (job: QueueJob) => ReactNode>> = {
  job_name: ({ deployment_id: deployment, displayName }) =>
    deployment === null ? null : <GridLink to={`/queue/${deployment}`}>{displayName}</GridLink>,
}
const first = ['job_name', 'state', 'created_at']
const [filterKey, deploymentsAlone] = ['f.queue', 'any-of:deployment']

export function QueueScreen() {
  const { t } = useTranslation()
  const query = useRoute(queueRoutes.listJobs, {}, { refetchInterval: pollIntervalMs })
  const rowActions = useRowActions()
  const [address] = useSearchParams()
  return (
    <DataGrid
      id="queue"
      title={t('screens.queue.title')}
      grid={queueColumns}
      first={first}
      rows={query.data}
      getRowId={idOf}
      getRowName={nameOf}
      renderCell={cells}
      rowActions={rowActions}
      toolbar={({ changeAddress }) => (
        <Switch
          label={t('queue.deploymentsAlone')}
          checked={address.get(filterKey) === deploymentsAlone}
          onChange={({ currentTarget: { checked } }) =>
            changeAddress((asked) => {
              if (checked) asked.set(filterKey, deploymentsAlone)
              else asked.delete(filterKey)
            })
          }
        />
      )}
      error={query.error}
      onRetry={() => void query.refetch()}
      isRetrying={query.isFetching}
      empty={{ icon: IconListCheck, title: t('queue.empty'), hint: t('queue.emptyHint') }}
    />
  )
}

function useRowActions(): (job: QueueJob) => readonly RowAction[] {
  const { t } = useTranslation()
  const user = useUser()
  const mayEdit = can(user, websRoutes.editWeb.access)
  const maySee = can(user, websRoutes.readWeb.access)
  return useMemo(() => {
    return (job) => {
      const actions: readonly (RowAction | false)[] = [
        job.deployment_id !== null && {
          key: 'deployment',
          label: t('queue.openDeployment'),
          icon: <IconTerminal2 size={16} />,
          to: `/queue/${job.deployment_id}`,
        },
        maySee &&
          job.web_id !== null && {
            key: 'page',
            label: t('actions.show.label'),
            icon: <IconWorld size={16} />,
            to: webPath(job.web_id),
          },
        mayEdit &&
          job.web_id !== null && {
            key: 'web',
            label: t('queue.editWeb'),
            icon: <IconPencil size={16} />,
            to: `/hosting/edit/${job.web_id}`,
          },
        {
          key: 'copy',
          label: t('queue.copy'),
          icon: <IconCopy size={16} />,
          run: () => void copyAndNotify(job.id, t('queue.copied')),
        },
      ]
      return actions.filter((action) => action !== false)
    }
  }, [t, mayEdit, maySee])
}
