import { deploymentRoutes, mapNodeActions, type NodeAction } from '@kustos/contract/deployment'
import {
  cancelDeployment,
  listDeployments,
  listOwnDeployments,
  readDeployment,
  readDeploymentLines,
  readRequestOptions,
  requestAction,
  requestWeb,
  retryDeployment,
} from '@kustos/domain/deployment'
import type { FastifyInstance } from 'fastify'
import { bind, type Call, type Services } from '../plugins/contract.ts'

export function registerDeploymentRoutes(app: FastifyInstance, services: Services): void {
  const { deployments } = services
  const setLocation = ({ reply }: Call, id: number) => void reply.header('location', `/api/deployments/${id}`)
  const request =
    (action: NodeAction) =>
    async ({ body }: { body: { id: number; backup?: boolean | undefined } }, call: Call) =>
      setLocation(call, await requestAction(call.context, deployments, action, body))

  bind(app, services, 'deployment', deploymentRoutes, {
    ...mapNodeActions(request),
    newWeb: async ({ body }, call) => setLocation(call, await requestWeb(call.context, deployments, body)),
    readRequestOptions: ({ query }, { context }) => readRequestOptions(context, deployments, query.source),
    listDeployments: async ({ query }, { context }) => ({ data: await listDeployments(context, query) }),
    listOwnDeployments: async ({ query }, { context }) => ({
      data: await listOwnDeployments(context, query.ended_after),
    }),
    readDeployment: ({ params }, { context }) => readDeployment(context, params.id),
    readDeploymentLines: async ({ params, query }, { context }) => ({
      data: await readDeploymentLines(context, params.id, query.after),
    }),
    retryDeployment: ({ params }, { context }) => retryDeployment(context, deployments, params.id),
    cancelDeployment: ({ params }, { context }) => cancelDeployment(context, deployments, params.id),
  })
}
