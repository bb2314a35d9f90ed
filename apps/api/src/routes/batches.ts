import { batchesRoutes } from '@kustos/contract/batches'
import {
  cancelBatch,
  createBatch,
  listBatches,
  listOwnBatches,
  previewBatch,
  readBatch,
  retryBatch,
} from '@kustos/domain/batches'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export function registerBatchRoutes(app: FastifyInstance, services: Services): void {
  bind(app, services, 'batches', batchesRoutes, {
    previewBatch: ({ body }, { context }) => previewBatch(context, body),
    createBatch: async ({ body }, { context, reply }) => {
      const id = await createBatch(context, body)
      reply.header('location', `/api/batches/${id}`)
      return { id }
    },
    listBatches: async ({ query }, { context }) => ({ data: await listBatches(context, query.before) }),
    listOwnBatches: async ({ query }, { context }) => ({
      data: await listOwnBatches(context, query.ended_after),
    }),
    readBatch: ({ params }, { context }) => readBatch(context, params.id),
    cancelBatch: ({ params }, { context }) => cancelBatch(context, params.id),
    retryBatch: ({ params }, { context }) => retryBatch(context, params.id),
  })
}
