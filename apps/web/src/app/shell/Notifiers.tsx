import { batchesRoutes } from '@kustos/contract/batches'
import { deploymentRoutes } from '@kustos/contract/deployment'
import { can } from '@kustos/contract/permissions'
import { EndedBatches } from '../../entities/batch/EndedBatches.tsx'
import { EndedDeployments } from '../../entities/deployment/EndedDeployments.tsx'
import { useUser } from '../../platform/session.ts'

/** What notifies users of the end of their work. Renders nothing. */
export default function Notifiers() {
  const user = useUser()
  if (user === null) return null
  return (
    <>
      {can(user, deploymentRoutes.listOwnDeployments.access) && (
        <EndedDeployments key={`deployments ${user.id}`} userId={user.id} />
      )}
      {can(user, batchesRoutes.listOwnBatches.access) && (
        <EndedBatches key={`batches ${user.id}`} userId={user.id} />
      )}
    </>
  )
}
