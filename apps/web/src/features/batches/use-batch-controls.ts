import { type Batch, batchAccessOf, batchesRoutes } from '@kustos/contract/batches'
import { can } from '@kustos/contract/permissions'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../platform/message-text.ts'
import { useAction } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { useAlert } from '../../ui/use-alert.tsx'

const { cancelBatch, listBatches, readBatch, retryBatch } = batchesRoutes

/** What the user may do with a batch; null for what does not apply. `webs` says how many webs it concerns. */
export function useBatchControls({ id, action, state, counts }: Batch) {
  const { t } = useTranslation()
  const alert = useAlert()
  const retrying = useAction(retryBatch, [readBatch, listBatches])
  const cancelling = useAction(cancelBatch, [readBatch, listBatches])
  const may = can(useUser(), batchAccessOf(action))
  const unfinished = counts.failed + counts.skipped + counts.cancelled

  async function attempt(change: typeof retrying) {
    try {
      await change.mutateAsync({ params: { id } })
    } catch (error) {
      await alert({ title: t('batches.request.title', { id }), texts: [errorText(error)] })
    }
  }
  const control = (change: typeof retrying, webs: number) => ({
    webs,
    isRunning: change.isPending,
    run: () => void attempt(change),
  })
  return {
    retry: may && state !== 'running' && unfinished > 0 ? control(retrying, unfinished) : null,
    cancel: may && state === 'running' && counts.waiting > 0 ? control(cancelling, counts.waiting) : null,
  }
}
