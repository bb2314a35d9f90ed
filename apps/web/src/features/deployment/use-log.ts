import { type Deployment, deploymentRoutes, maxLinesPerResponse } from '@kustos/contract/deployment'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { call } from '../../platform/client.ts'
import { onNewLines } from '../../platform/events.ts'
import { type LogState, openLog } from './log.ts'

const { readDeploymentLines } = deploymentRoutes

export function useLog({
  id,
  last_line: last,
  state,
}: Deployment): LogState & { readonly retry: () => void } {
  const [log] = useState(() =>
    openLog(async (after, signal) => {
      const { data } = await call(readDeploymentLines, { params: { id }, query: { after } }, signal)
      return data
    }, maxLinesPerResponse),
  )
  const shown = useSyncExternalStore(log.subscribe, log.state)

  useEffect(() => () => log.close(), [log])
  useEffect(
    () =>
      onNewLines((deployment) => {
        if (deployment === undefined || deployment === id) log.update()
      }),
    [log, id],
  )

  // Without events the polled deployment says that there are more lines.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new state may come with its last lines.
  useEffect(() => {
    if (!log.state().isLoaded || (log.state().lines.at(-1)?.number ?? 0) < last) log.update()
  }, [log, last, state])

  return { ...shown, retry: log.update }
}
