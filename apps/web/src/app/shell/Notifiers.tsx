import { EndedBatches } from '../../entities/batch/EndedBatches.tsx'
import { EndedDeployments } from '../../entities/deployment/EndedDeployments.tsx'

/** What notifies users of the end of their work. Renders nothing. */
export default function Notifiers() {
  return (
    <>
      <EndedDeployments />
      <EndedBatches />
    </>
  )
}
