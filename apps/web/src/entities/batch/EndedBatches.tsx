import { type BatchSummary, batchesRoutes } from '@kustos/contract/batches'
import { useDocumentVisibility } from '@mantine/hooks'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router-dom'
import { useRoute } from '../../platform/query.ts'
import { notifyDone, notifyFailed } from '../../ui/notify.tsx'
import { openNotified } from '../deployment/notified-deployments.ts'
import { batchLink, batchPath } from './batch-link.ts'

const { listOwnBatches } = batchesRoutes

/** Notifies users when the batches that they asked for end, but for those that somebody has cancelled. Renders nothing. */
export function EndedBatches({ userId }: { readonly userId: number }) {
  const visibility = useDocumentVisibility()
  const [notified] = useState(() => openNotified(userId, 'Batches'))
  const { data } = useRoute(listOwnBatches, { query: { ended_after: notified.since } })
  const notify = useEffectEvent(useNotify())

  useEffect(() => {
    if (data === undefined || visibility === 'hidden') return
    for (const batch of notified.record(data.data)) notify(batch)
    notified.advance(data.data)
  }, [data, visibility, notified])

  return null
}

function useNotify() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const navigate = useNavigate()

  return ({ id, action, state, total, counts }: BatchSummary) => {
    // The screen of a batch shows how it ended.
    if (pathname === batchPath(id) || state === 'running' || state === 'cancelled') return
    const subject = `${t(`gridLabels.batches.options.action.${action}`)} · ${t('actions.webs', { count: total })}`
    const isSkipped = counts.skipped > 0 && counts.failed === 0
    const outcome = isSkipped && state !== 'stopped' ? 'skipped' : state
    const text = t(`batches.request.ended.${outcome}`, { ...counts, total })
    if (state === 'succeeded') notifyDone(subject, text, batchLink(id, navigate))
    else notifyFailed(subject, text, batchLink(id, navigate))
  }
}
