import { accessOf } from '@kustos/contract/deployment'
import { can } from '@kustos/contract/permissions'
import type { Node, Web } from '@kustos/contract/webs'
import { notifications } from '@mantine/notifications'
import { IconArchive } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../app/api-error.ts'
import { requestAction } from '../../app/request-deployment.ts'
import { sentence } from '../../app/sentences.ts'
import { useUser } from '../../app/session.ts'
import { useDeploymentLink } from '../../app/use-deployment-link.tsx'
import { withEach } from '../../app/with-each.ts'
import type { BulkAction } from '../../ui/data-grid/types.ts'
import { notifyDone } from '../../ui/notify.tsx'
import { useAlert } from '../../ui/use-alert.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { isCloudEnabled } from './cloud-enabled.ts'

const notification = 'bulk-backup'
/** A dialog is no list: of more failures than these the number is told. */
const mostTold = 20

/**
 * The backup of all chosen webs; undefined for those who may not ask for one.
 * @param nodes undefined until they are there
 */
export function useBulkBackup(nodes: readonly Node[] | undefined): readonly BulkAction<Web>[] | undefined {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const alert = useAlert()
  const linkTo = useDeploymentLink()
  const may = can(useUser(), accessOf('backupWeb'))

  async function run(webs: readonly Web[]) {
    const count = webs.length
    const title = t('deployment.bulk.title', { count })
    const text = t('deployment.bulk.question', { count })
    if (!(await confirm({ title, text, yes: t('deployment.bulk.backup') }))) return
    const progress = (done: number) => ({
      id: notification,
      title: t('deployment.bulk.running'),
      message: t('deployment.bulk.progress', { done, count }),
      loading: true,
      autoClose: false,
      withCloseButton: false,
    })
    notifications.show(progress(0))
    const refused = await withEach(
      webs,
      async (web) => {
        if (!isCloudEnabled(web, nodes)) throw new NotHere()
        await requestAction('backupWeb', { id: web.id })
      },
      (done) => notifications.update(progress(done)),
    )
    notifications.hide(notification)
    const accepted = count - refused.length
    if (accepted > 0)
      notifyDone(
        t('deployment.bulk.title', { count: accepted }),
        t('deployment.requested.backupWeb'),
        linkTo(null),
      )
    if (refused.length === 0) return
    const rest = refused.length - mostTold
    alert({
      title: t('deployment.bulk.failed', { count: refused.length, total: count }),
      texts: [
        ...refused
          .slice(0, mostTold)
          .map(({ thing: { fqdn }, error }) =>
            t('deployment.bulk.failure', { fqdn, reason: reasonOf(error) }),
          ),
        ...(rest > 0 ? [t('deployment.bulk.more', { count: rest })] : []),
      ],
    })
  }

  function reasonOf(error: unknown): string {
    if (error instanceof NotHere) return t('deployment.notHere')
    if (error instanceof ApiError) return sentence(error.error ?? error.message)
    throw error
  }

  if (!may) return undefined
  return [
    {
      key: 'backup',
      label: t('deployment.bulk.backup'),
      icon: <IconArchive size={16} />,
      run: (webs) => void run(webs),
    },
  ]
}

/** A web on a node that takes no deployments: no call is made for it. */
class NotHere extends Error {}
