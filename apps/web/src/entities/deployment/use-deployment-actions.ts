import { accessOf, type DeploymentKind, deploymentRoutes } from '@kustos/contract/deployment'
import { can } from '@kustos/contract/permissions'
import { type JobState, queueRoutes } from '@kustos/contract/queue'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../platform/message-text.ts'
import { useAction } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { notifyDone } from '../../ui/notify.tsx'
import { useAlert } from '../../ui/use-alert.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { isOver, isRetriable } from './states.ts'

const { cancelDeployment, listDeployments, readDeployment, retryDeployment } = deploymentRoutes
const touched = [readDeployment, listDeployments, queueRoutes.listJobs]

interface Subject {
  readonly id: number
  readonly kind: DeploymentKind
  readonly state: JobState
  /** For dialogs and notifications. */
  readonly name: string
}

/** @returns what the user may do with a deployment; null for what does not apply */
export function useDeploymentActions() {
  const { t } = useTranslation()
  const user = useUser()
  const confirm = useConfirm()
  const alert = useAlert()
  const retrying = useAction(retryDeployment, touched)
  const cancelling = useAction(cancelDeployment, touched)

  async function attempt(change: typeof retrying, { id, name }: Subject, done: string) {
    try {
      await change.mutateAsync({ params: { id } })
      notifyDone(name, done)
    } catch (error) {
      await alert({ title: name, texts: [errorText(error)] })
    }
  }
  async function cancel(deployment: Subject) {
    const agreed = await confirm({
      title: deployment.name,
      text: t(`deployment.page.cancelQuestion.${deployment.state === 'waiting' ? 'waiting' : 'running'}`),
      yes: t('deployment.page.cancelYes'),
      no: t('deployment.page.cancelNo'),
      danger: true,
    })
    if (agreed) await attempt(cancelling, deployment, t('deployment.page.cancelRequested'))
  }
  const retry = (deployment: Subject) => attempt(retrying, deployment, t('deployment.page.retried'))

  return (deployment: Subject) => {
    const may = can(user, accessOf(deployment.kind))
    return {
      retry:
        may && isRetriable(deployment.state)
          ? { run: () => void retry(deployment), isRunning: retrying.isPending }
          : null,
      cancel:
        may && !isOver(deployment.state)
          ? { run: () => void cancel(deployment), isRunning: cancelling.isPending }
          : null,
    }
  }
}
