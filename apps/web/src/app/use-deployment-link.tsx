import { deploymentRoutes } from '@kustos/contract/deployment'
import { can } from '@kustos/contract/permissions'
import { Anchor } from '@mantine/core'
import { type ReactNode, useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { useUser } from './session.ts'

/**
 * Links for notifications, to those who may see what they lead to: a deployment's page, or the queue where several were
 * asked for (null).
 */
export function useDeploymentLink(): (id: number | null) => ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const maySee = can(useUser(), deploymentRoutes.readDeployment.access)
  return useCallback(
    (id) =>
      maySee && (
        // Notifications stand outside of the router.
        <Anchor
          component="button"
          type="button"
          inherit
          onClick={() => void navigate(id === null ? '/queue' : `/queue/${id}`)}
        >
          {t(id === null ? 'deployment.showQueue' : 'deployment.show')}
        </Anchor>
      ),
    [t, navigate, maySee],
  )
}
