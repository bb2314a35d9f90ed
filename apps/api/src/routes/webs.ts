import { tableType } from '@kustos/contract/route'
import { websRoutes } from '@kustos/contract/webs'
import { requestInspection } from '@kustos/domain/inspections'
import { createContext } from '@kustos/domain/platform/context'
import { dayAt } from '@kustos/domain/platform/local-time'
import {
  assertCanList,
  createWeb,
  deleteWeb,
  type ExportKind,
  editWeb,
  listCategories,
  readWeb,
  readWebList,
  restoreWeb,
  type WebListForm,
  type WebScope,
  webListRevision,
} from '@kustos/domain/webs'
import type { FastifyInstance } from 'fastify'
import { prefersTable, serveCachedBody } from '../cached-body.ts'
import { bind, type Call, type Services } from '../plugins/contract.ts'
import { sendSpreadsheet, signalOf } from '../plugins/files.ts'

export function registerWebRoutes(app: FastifyInstance, services: Services): void {
  const list = (scope: WebScope, form: WebListForm) =>
    serveCachedBody({
      contentType: form === 'objects' ? 'application/json; charset=utf-8' : tableType,
      revision: () =>
        webListRevision(createContext(services.database, null, services.now), form, services.monitoring),
      read: () => readWebList(services.database, scope, form, services.monitoring),
    })
  const listsOf = (scope: WebScope) => ({
    objects: list(scope, 'objects'),
    table: list(scope, 'table'),
    trackingTable: list(scope, 'trackingTable'),
  })
  const lists = { active: listsOf('active'), deleted: listsOf('deleted') }

  async function sendExport(kind: ExportKind, { context, request, reply }: Call) {
    const query = [...new URL(request.url, 'http://kustos').searchParams]
    const signal = signalOf(reply)
    const file = await services.exports.exportWebs(context, kind, query, signal).catch((error: unknown) => {
      if (error !== signal.reason) throw error
      return null
    })
    // The client has gone.
    if (file === null) return reply.hijack()
    return sendSpreadsheet(reply, `${kind}-${dayAt(context.now().getTime())}`, file)
  }

  bind(app, services, 'webs', websRoutes, {
    async listWebs({ query }, { context, request, reply }) {
      const scope = query.deleted === '1' ? 'deleted' : 'active'
      assertCanList(context, scope)
      const table = query.tracking === '1' ? 'trackingTable' : 'table'
      return lists[scope][prefersTable(request) ? table : 'objects'](request, reply)
    },
    exportWebs: (_, call) => sendExport('webs', call),
    exportTracking: (_, call) => sendExport('tracking', call),
    readWeb: ({ params }, { context }) => readWeb(context, params.id),
    createWeb: ({ body }, { context }) => createWeb(context, body),
    editWeb: ({ params, body }, { context }) => editWeb(context, params.id, body),
    deleteWeb: ({ params }, { context }) => deleteWeb(context, params.id),
    restoreWeb: ({ params }, { context }) => restoreWeb(context, params.id),
    refreshWeb: async ({ params }, { context, reply }) => {
      const id = await requestInspection(context, services.deployments, 'refresh', params.id)
      reply.header('location', `/api/inspections/${id}`)
    },
    listCategories: (_, { context }) => listCategories(context),
  })
}
