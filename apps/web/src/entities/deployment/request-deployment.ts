import {
  deploymentRoutes,
  type NewWebRequest,
  type NodeAction,
  nodeActionRoutes,
} from '@kustos/contract/deployment'
import { queueRoutes } from '@kustos/contract/queue'
import { create } from '../../platform/query.ts'

const lists = [deploymentRoutes.listDeployments, queueRoutes.listJobs]

/**
 * Requests a node action for a web.
 * @returns the deployment's id; null where the answer does not name it
 * @throws {ApiError}
 */
export const requestNodeAction = (
  action: NodeAction,
  body: { readonly id: number; readonly backup?: boolean },
) => create(nodeActionRoutes[action], { body }, lists)

/**
 * Asks for a new web.
 * @returns the deployment's id; null where the answer does not name it
 * @throws {ApiError}
 */
export const requestWeb = (body: NewWebRequest, signal: AbortSignal) =>
  create(deploymentRoutes.newWeb, { body }, lists, signal)
