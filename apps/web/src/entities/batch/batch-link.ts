import i18next from 'i18next'
import type { NavigateFunction } from 'react-router-dom'
import type { NotificationAction } from '../../ui/notify.tsx'

export const batchPath = (id: number) => `/batches/${id}`

/** A link to a batch for notifications. */
export const batchLink = (id: number, navigate: NavigateFunction): NotificationAction => ({
  label: i18next.t('batches.request.show'),
  run: () => void navigate(batchPath(id)),
})
