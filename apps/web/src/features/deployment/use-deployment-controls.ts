import { accessOf, type Deployment, deploymentRoutes } from '@kustos/contract/deployment'
import { can } from '@kustos/contract/permissions'
import { queueRoutes } from '@kustos/contract/queue'
import { useTranslation } from 'react-i18next'
import { isOver, isRetriable } from '../../entities/deployment/states.ts'
import { errorText } from '../../platform/message-text.ts'
import { useAction } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { notifyDone } from '../../ui/notify.tsx'
import { useAlert } from '../../ui/use-alert.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'

const { cancelDeployment, listDeployments, readDeployment, retryDeployment } = deploymentRoutes
const touched = [readDeployment, listDeployments, queueRoutes.listJobs]

export function useDeploymentControls({ id, kind, fqdn, state, cancel_requested }: Deployment) {
  const { t } = useTranslation()
  const may = can(useUser(), accessOf(kind))
  const confirm = useConfirm()
  const alert = useAlert()
  const retrying = useAction(retryDeployment, touched)
  const cancelling = useAction(cancelDeployment, touched)
  const input = { params: { id } }

  async function attempt(change: () => Promise<unknown>, done: string) {
    try {
      await change()
      notifyDone(fqdn, done)
    } catch (error) {
      await alert({ title: fqdn, texts: [errorText(error)] })
    }
  }
  async function cancel() {
    const agreed = await confirm({
      title: fqdn,
      text: t(`deployment.page.cancelQuestion.${state === 'waiting' ? 'waiting' : 'running'}`),
      yes: t('deployment.page.cancelYes'),
      no: t('deployment.page.cancelNo'),
      danger: true,
    })
    if (agreed) await attempt(() => cancelling.mutateAsync(input), t('deployment.page.cancelRequested'))
  }
  const retry = () => attempt(() => retrying.mutateAsync(input), t('deployment.page.retried'))

  return {
    retry: may && isRetriable(state) ? { run: () => void retry(), isRunning: retrying.isPending } : null,
    cancel:
      may && !isOver(state) && !cancel_requested
        ? { run: () => void cancel(), isRunning: cancelling.isPending }
        : null,
  }
}
