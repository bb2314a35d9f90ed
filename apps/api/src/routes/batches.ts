import { batchesRoutes } from '@kustos/contract/batches'
import {
  cancelBatch,
  createBatch,
  listBatches,
  listOwnBatches,
  previewBatch,
  readBatch,
  retryBatch,
  revertBatch,
} from '@kustos/domain/batches'
import type { FastifyInstance } from 'fastify'
import { bind, type Call, type Services } from '../plugins/contract.ts'

function created({ reply }: Call, id: number) {
  reply.header('location', `/api/batches/${id}`)
  return { id }
}

export function registerBatchRoutes(app: FastifyInstance, services: Services): void {
  bind(app, services, 'batches', batchesRoutes, {
    previewBatch: ({ body }, { context }) => previewBatch(context, body),
    createBatch: async ({ body }, call) => created(call, await createBatch(call.context, body)),
    listBatches: async ({ query }, { context }) => ({ data: await listBatches(context, query.before) }),
    listOwnBatches: async ({ query }, { context }) => ({
      data: await listOwnBatches(context, query.ended_after),
    }),
    readBatch: ({ params }, { context }) => readBatch(context, params.id),
    cancelBatch: ({ params }, { context }) => cancelBatch(context, params.id),
    revertBatch: async ({ params }, call) => created(call, await revertBatch(call.context, params.id)),
    retryBatch: ({ params }, { context }) => retryBatch(context, params.id),
  })
}
