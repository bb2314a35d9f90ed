import { type Deployment, deploymentRoutes, linesAtOnce } from '@kustos/contract/deployment'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { call } from '../../app/client.ts'
import { onNewLines } from '../../app/events.ts'
import { type LogState, openLog } from './log.ts'

const { readDeploymentLines } = deploymentRoutes

/** A deployment's log as it grows. It is the same deployment as long as the component lives. */
export function useLog({
  id,
  last_line: last,
  state,
}: Deployment): LogState & { readonly retry: () => void } {
  const [log] = useState(() =>
    openLog(async (after, signal) => {
      const { data } = await call(readDeploymentLines, { params: { id }, query: { after } }, signal)
      return data
    }, linesAtOnce),
  )
  const shown = useSyncExternalStore(log.subscribe, log.state)

  useEffect(() => () => log.close(), [log])
  useEffect(() => {
    const end = onNewLines((deployment) => {
      if (deployment === undefined || deployment === id) log.readOn()
    })
    return end
  }, [log, id])

  // Without events the deployment itself, which is read anew from time to time, tells that there is more.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new state may have brought its last lines.
  useEffect(() => {
    if (!log.state().isLoaded || (log.state().lines.at(-1)?.number ?? 0) < last) log.readOn()
  }, [log, last, state])

  return { ...shown, retry: log.readOn }
}
