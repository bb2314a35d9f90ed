import { deploymentRoutes } from '@kustos/contract/deployment'
import { can } from '@kustos/contract/permissions'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { useUser } from '../../platform/session.ts'
import type { NotificationAction } from '../../ui/notify.tsx'

/** Creates links for notifications, to a deployment or (null) to the queue, if the user may see them. */
export function useDeploymentLink(): (id: number | null) => NotificationAction | false {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const maySee = can(useUser(), deploymentRoutes.readDeployment.access)
  return useCallback(
    (id) =>
      maySee && {
        label: t(id === null ? 'actions.showQueue' : 'actions.showDeployment'),
        run: () => void navigate(id === null ? '/queue' : `/queue/${id}`),
      },
    [t, navigate, maySee],
  )
}
