import { type Action, actionRoutes, deploymentRoutes, type NewWebRequest } from '@kustos/contract/deployment'
import { queueRoutes } from '@kustos/contract/queue'
import { exchange } from './client.ts'
import { keyOf, queryClient } from './query.ts'

/**
 * Asks for an action on a web.
 * @returns the deployment's id; null where the answer does not name it
 * @throws {ApiError}
 */
export async function requestAction(
  action: Action,
  body: { readonly id: number; readonly backup?: boolean },
): Promise<number | null> {
  const { headers } = await exchange(actionRoutes[action], { body })
  refreshLists()
  return deploymentIn(headers.get('location'))
}

/**
 * Asks for a new web.
 * @returns the deployment's id; null where the answer does not name it
 * @throws {ApiError}
 */
export async function requestWeb(body: NewWebRequest): Promise<number | null> {
  const { headers } = await exchange(deploymentRoutes.newWeb, { body })
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
