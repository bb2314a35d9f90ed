import { nodesRoutes } from '@kustos/contract/nodes'
import { requestInspection } from '@kustos/domain/inspections'
import {
  createNode,
  deleteNode,
  editNode,
  listNodes,
  readDiscovery,
  readNodeOverview,
  readNodeTimeline,
  takeOverWebs,
} from '@kustos/domain/nodes'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export const registerNodeRoutes = (app: FastifyInstance, services: Services): void =>
  bind(app, services, 'nodes', nodesRoutes, {
    listNodes: (_, { context }) => listNodes(context),
    readNodeOverview: ({ params }, { context }) => readNodeOverview(context, params.name),
    readNodeTimeline: ({ params, query }, { context }) => readNodeTimeline(context, params.name, query.weeks),
    createNode: ({ body }, { context }) => createNode(context, services.secretBox, body),
    editNode: ({ params, body }, { context }) => editNode(context, services.secretBox, params.id, body),
    deleteNode: ({ params }, { context }) => deleteNode(context, params.id),
    readDiscovery: ({ params }, { context }) => readDiscovery(context, params.id),
    runDiscovery: async ({ params }, { context, reply }) => {
      const id = await requestInspection(context, services.deployments, 'discovery', params.id)
      reply.header('location', `/api/inspections/${id}`)
    },
    takeOverWebs: ({ params, body }, { context }) =>
      takeOverWebs(context, services.deployments, params.id, body),
    testNode: async ({ params }, { context, reply }) => {
      const id = await requestInspection(context, services.deployments, 'connection', params.id)
      reply.header('location', `/api/inspections/${id}`)
    },
  })
