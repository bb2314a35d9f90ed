import { Anchor } from '@mantine/core'
import i18next from 'i18next'
import type { NavigateFunction } from 'react-router-dom'

export const batchPath = (id: number) => `/batches/${id}`

/** A link to a batch for notifications, which are rendered outside the router. */
export const batchLink = (id: number, navigate: NavigateFunction) => (
  <Anchor component="button" type="button" inherit onClick={() => void navigate(batchPath(id))}>
    {i18next.t('batches.request.show')}
  </Anchor>
)
