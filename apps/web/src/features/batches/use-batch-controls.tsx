import { type Batch, batchAccessOf, batchesRoutes, opposites } from '@kustos/contract/batches'
import { can } from '@kustos/contract/permissions'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { batchPath } from '../../entities/batch/batch-link.ts'
import { SkippedWebs, textsOfSkipped } from '../../entities/batch/SkippedWebs.tsx'
import { call } from '../../platform/client.ts'
import { errorText } from '../../platform/message-text.ts'
import { useAction } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { useAlert } from '../../ui/use-alert.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'

const { cancelBatch, listBatches, previewRevert, readBatch, retryBatch, revertBatch } = batchesRoutes

/** What the user may do with a batch; null for what does not apply. `webs` says how many webs it concerns. */
export function useBatchControls({ id, action, state, counts, retryable }: Batch) {
  const { t } = useTranslation()
  const alert = useAlert()
  const retrying = useAction(retryBatch, [readBatch, listBatches])
  const cancelling = useAction(cancelBatch, [readBatch, listBatches])
  const reverting = useAction(revertBatch, [listBatches])
  const previewing = useMutation({ mutationFn: () => call(previewRevert, { params: { id } }) })
  const confirm = useConfirm()
  const navigate = useNavigate()
  const user = useUser()
  const may = can(user, batchAccessOf(action))
  const opposite = opposites[action]

  async function attempt(change: typeof retrying) {
    try {
      await change.mutateAsync({ params: { id } })
    } catch (error) {
      await alert({ title: t('batches.request.title', { id }), texts: [errorText(error)] })
    }
  }
  async function revert(by: NonNullable<typeof opposite>) {
    // Shown as running, the button would lose the focus, which returns to it from the dialog.
    if (previewing.isPending) return
    const titleOf = (count: number) => t('batches.revertTitle', { count })
    try {
      const preview = await previewing.mutateAsync()
      if (preview.eligible === 0)
        return await alert({ title: titleOf(counts.succeeded), texts: textsOfSkipped(preview) })
      const isAgreed = await confirm({
        title: titleOf(preview.eligible),
        text: t(`batches.revertQuestion.${by}`),
        more: <SkippedWebs preview={preview} />,
        yes: t('batches.revert'),
        danger: by === 'delete',
      })
      if (!isAgreed) return
      const { id: other } = await reverting.mutateAsync({ params: { id } })
      await navigate(batchPath(other))
    } catch (error) {
      await alert({ title: titleOf(counts.succeeded), texts: [errorText(error)] })
    }
  }
  const control = (change: typeof retrying, webs: number) => ({
    webs,
    isRunning: change.isPending,
    run: () => void attempt(change),
  })
  return {
    retry: retryable > 0 ? control(retrying, retryable) : null,
    revert:
      opposite !== undefined &&
      can(user, batchAccessOf(opposite)) &&
      state !== 'running' &&
      counts.succeeded > 0
        ? { isRunning: reverting.isPending, run: () => void revert(opposite) }
        : null,
    cancel: may && state === 'running' && counts.waiting > 0 ? control(cancelling, counts.waiting) : null,
  }
}
