import { accessOf } from '@kustos/contract/deployment'
import { can } from '@kustos/contract/permissions'
import type { Node, Web } from '@kustos/contract/webs'
import { IconArchive } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { requestAction } from '../../app/request-deployment.ts'
import { useUser } from '../../app/session.ts'
import { useDeploymentLink } from '../../app/use-deployment-link.tsx'
import type { BulkAction } from '../../ui/data-grid/types.ts'
import { notifyDone } from '../../ui/notify.tsx'
import { NotAsked, useBulkRun } from '../../ui/use-bulk-run.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { isCloudEnabled } from './cloud-enabled.ts'

/**
 * The backup of all chosen webs; nothing for those who may not ask for one.
 * @param nodes undefined until they are there
 */
export function useBulkBackup(nodes: readonly Node[] | undefined): readonly BulkAction<Web>[] {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const bulkRun = useBulkRun<Web>()
  const linkTo = useDeploymentLink()
  const may = can(useUser(), accessOf('backupWeb'))

  async function run(webs: readonly Web[]) {
    const total = webs.length
    const title = t('deployment.bulk.title', { count: total })
    const text = t('deployment.bulk.question', { count: total })
    if (!(await confirm({ title, text, yes: t('deployment.bulk.backup') }))) return
    const accepted = await bulkRun({
      rows: webs,
      work: (web) => {
        // No call is made for a web on a node that takes no deployments.
        if (!isCloudEnabled(web, nodes)) throw new NotAsked(t('deployment.notHere'))
        return requestAction('backupWeb', { id: web.id })
      },
      running: t('deployment.bulk.running'),
      failed: (count) => t('deployment.bulk.failed', { count, total }),
    })
    if (accepted > 0)
      notifyDone(
        t('deployment.bulk.title', { count: accepted }),
        t('deployment.requested.backupWeb'),
        linkTo(null),
      )
  }

  if (!may) return []
  return [
    {
      key: 'backup',
      label: t('deployment.bulk.backup'),
      icon: <IconArchive size={16} />,
      run: (webs) => void run(webs),
    },
  ]
}
