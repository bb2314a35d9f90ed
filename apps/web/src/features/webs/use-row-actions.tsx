import { monitoringRoutes, uptimePath } from '@kustos/contract/monitoring'
import { can } from '@kustos/contract/permissions'
import { type Node, type Web, websRoutes } from '@kustos/contract/webs'
import { Anchor, Text } from '@mantine/core'
import {
  IconChartLine,
  IconCopy,
  IconExternalLink,
  IconPencil,
  IconRefresh,
  IconRestore,
  IconTrash,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../app/api-error.ts'
import { keyOf, useAction } from '../../app/query.ts'
import { useUser } from '../../app/session.ts'
import { copyNoted } from '../../ui/copy.ts'
import type { RowAction } from '../../ui/data-grid/types.ts'
import { notifyDone, notifyFailed } from '../../ui/notify.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { useDeploymentActions } from './use-deployment-actions.tsx'
import { useRefresh } from './use-refresh.tsx'

const { listUptime } = monitoringRoutes
const { listWebs, refreshWeb, editWeb, deleteWeb, restoreWeb } = websRoutes

/** As much of a web as its actions need to know. */
export type ActionableWeb = Pick<Web, 'id' | 'fqdn' | 'node' | 'deleted_at'>

/**
 * What can be done with one web, by what the user may do.
 * @param nodes undefined until they are there
 */
export function useRowActions(
  nodes: readonly Node[] | undefined,
): (web: ActionableWeb) => readonly RowAction[] {
  const { t } = useTranslation()
  const user = useUser()
  const confirm = useConfirm()
  const client = useQueryClient()
  const deletion = useAction(deleteWeb, [listWebs])
  const restoration = useAction(restoreWeb, [listWebs])
  const deploymentActions = useDeploymentActions(nodes)
  const refresh = useRefresh()
  const mayRestore = can(user, restoreWeb.access)

  /** Runs a change; where it failed the list may be behind, and is read anew too. */
  async function attempt(web: ActionableWeb, change: () => Promise<unknown>): Promise<boolean> {
    try {
      await change()
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      notifyFailed(web.fqdn, error)
      void client.invalidateQueries({ queryKey: keyOf(listWebs) })
      return false
    }
  }

  async function restore(web: ActionableWeb) {
    const done = await attempt(web, () => restoration.mutateAsync({ params: { id: web.id } }))
    if (done) notifyDone(web.fqdn, t('webs.done.restored'))
  }

  async function remove(web: ActionableWeb) {
    const yes = t('webs.actions.delete')
    const more = <Text c="dimmed">{t('webs.deleteMeaning')}</Text>
    if (!(await confirm({ title: web.fqdn, text: t('confirm.delete'), more, yes, danger: true }))) return
    const done = await attempt(web, () => deletion.mutateAsync({ params: { id: web.id } }))
    if (!done) return
    const undo = (
      <Anchor component="button" type="button" inherit onClick={() => void restore(web)}>
        {t('webs.actions.undo')}
      </Anchor>
    )
    notifyDone(web.fqdn, t('webs.done.deleted'), mayRestore ? undo : undefined)
  }

  async function confirmRestore(web: ActionableWeb) {
    const yes = t('webs.actions.restore')
    if (await confirm({ title: web.fqdn, text: t('confirm.restore'), yes })) await restore(web)
  }

  return (web) => {
    const lives = web.deleted_at === null
    const { onDatabase, onWeb } = deploymentActions(web)
    const actions: readonly (RowAction | false)[] = [
      ...(lives ? onDatabase : []),
      lives &&
        can(user, refreshWeb.access) && {
          key: 'refresh',
          label: t('webs.actions.refresh'),
          icon: <IconRefresh size={16} />,
          run: () => void refresh(web, true),
        },
      ...(lives ? onWeb : []),
      lives &&
        can(user, editWeb.access) && {
          key: 'edit',
          label: t('webs.actions.edit'),
          icon: <IconPencil size={16} />,
          to: `/hosting/edit/${web.id}`,
        },
      lives &&
        can(user, listUptime.access) && {
          key: 'uptime',
          label: t('monitoring.webs.uptimeAction'),
          icon: <IconChartLine size={16} />,
          to: uptimePath(web),
        },
      lives && {
        key: 'open',
        label: t('webs.actions.open'),
        icon: <IconExternalLink size={16} />,
        run: () => void window.open(`https://${web.fqdn}`, '_blank', 'noopener,noreferrer'),
      },
      {
        key: 'copy',
        label: t('webs.actions.copy'),
        icon: <IconCopy size={16} />,
        run: () => void copyNoted(web.fqdn, t('webs.done.copied')),
      },
      lives &&
        can(user, deleteWeb.access) && {
          key: 'delete',
          label: t('webs.actions.delete'),
          icon: <IconTrash size={16} />,
          danger: true,
          run: () => void remove(web),
        },
      !lives &&
        mayRestore && {
          key: 'restore',
          label: t('webs.actions.restore'),
          icon: <IconRestore size={16} />,
          run: () => void confirmRestore(web),
        },
    ]
    return actions.filter((action) => action !== false)
  }
}
