import {
  deploymentRoutes,
  type NewWebRequest,
  type NodeAction,
  nodeActionRoutes,
} from '@kustos/contract/deployment'
import { queueRoutes } from '@kustos/contract/queue'
import { exchange } from '../../platform/client.ts'
import { keyOf, queryClient } from '../../platform/query.ts'

/**
 * Requests a node action for a web.
 * @returns the deployment's id; null where the answer does not name it
 * @throws {ApiError}
 */
export async function requestNodeAction(
  action: NodeAction,
  body: { readonly id: number; readonly backup?: boolean },
): Promise<number | null> {
  const { headers } = await exchange(nodeActionRoutes[action], { body })
  refreshLists()
  return deploymentIn(headers.get('location'))
}

/**
 * Asks for a new web.
 * @returns the deployment's id; null where the answer does not name it
 * @throws {ApiError}
 */
export async function requestWeb(body: NewWebRequest, signal: AbortSignal): Promise<number | null> {
  const { headers } = await exchange(deploymentRoutes.newWeb, { body }, signal)
  refreshLists()
  return deploymentIn(headers.get('location'))
}

function refreshLists() {
  for (const stale of [deploymentRoutes.listDeployments, queueRoutes.listJobs])
    void queryClient.invalidateQueries({ queryKey: keyOf(stale) })
}

/** The deployment that a Location header names. */
export function deploymentIn(location: string | null): number | null {
  const id = /\/api\/deployments\/([1-9]\d*)$/.exec(location ?? '')?.[1]
  return id === undefined ? null : Number(id)
}
