import { type BatchRequest, batchesRoutes, maxBatchWebs } from '@kustos/contract/batches'
import { message } from '@kustos/contract/messages'
import {
  cancelBatch,
  createBatch,
  listBatches,
  listOwnBatches,
  previewBatch,
  previewRevert,
  readBatch,
  retryBatch,
  revertBatch,
} from '@kustos/domain/batches'
import { invalid } from '@kustos/domain/platform/errors'
import type { FastifyInstance } from 'fastify'
import { bind, type Call, type Services } from '../plugins/contract.ts'
import { signalOf } from '../plugins/files.ts'

function created({ reply }: Call, id: number) {
  reply.header('location', `/api/batches/${id}`)
  return { id }
}

export function registerBatchRoutes(app: FastifyInstance, services: Services): void {
  async function resolve({ webs, filter, ...request }: BatchRequest, { context, reply }: Call) {
    if (webs !== undefined) return { ...request, webs }
    const query = [...new URLSearchParams(filter)]
    const found = await services.exports.selectWebs(context, query, signalOf(reply))
    if (found.length === 0) throw invalid({ filter: message('batch_empty') })
    if (found.length > maxBatchWebs)
      throw invalid({ filter: message('webs_too_many', { max: maxBatchWebs }) })
    return { ...request, webs: found }
  }

  bind(app, services, 'batches', batchesRoutes, {
    previewBatch: async ({ body }, call) => previewBatch(call.context, await resolve(body, call)),
    createBatch: async ({ body }, call) =>
      created(call, await createBatch(call.context, await resolve(body, call))),
    listBatches: async ({ query }, { context }) => ({ data: await listBatches(context, query.before) }),
    listOwnBatches: async ({ query }, { context }) => ({
      data: await listOwnBatches(context, query.ended_after),
    }),
    readBatch: ({ params }, { context }) => readBatch(context, params.id),
    cancelBatch: ({ params }, { context }) => cancelBatch(context, params.id),
    previewRevert: ({ params }, { context }) => previewRevert(context, params.id),
    revertBatch: async ({ params }, call) => created(call, await revertBatch(call.context, params.id)),
    retryBatch: ({ params }, { context }) => retryBatch(context, params.id),
  })
}
