import { deploymentRoutes } from '@kustos/contract/deployment'
import { can } from '@kustos/contract/permissions'
import { Anchor } from '@mantine/core'
import { type ReactNode, useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { useUser } from '../../platform/session.ts'

/** Creates links for notifications, to a deployment or (null) to the queue, if the user may see them. */
export function useDeploymentLink(): (id: number | null) => ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const maySee = can(useUser(), deploymentRoutes.readDeployment.access)
  return useCallback(
    (id) =>
      maySee && (
        // Notifications are rendered outside the router.
        <Anchor
          component="button"
          type="button"
          inherit
          onClick={() => void navigate(id === null ? '/queue' : `/queue/${id}`)}
        >
          {t(id === null ? 'actions.showQueue' : 'actions.showDeployment')}
        </Anchor>
      ),
    [t, navigate, maySee],
  )
}
