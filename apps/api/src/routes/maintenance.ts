import { maintenanceRoutes } from '@kustos/contract/maintenance'
import {
  deleteWindow,
  editWindow,
  endMaintenance,
  endWindow,
  listWebsInMaintenance,
  listWindows,
  planWindow,
} from '@kustos/domain/maintenance'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export const registerMaintenanceRoutes = (app: FastifyInstance, services: Services): void =>
  bind(app, services, 'maintenance', maintenanceRoutes, {
    listWindows: async ({ query }, { context }) => ({ data: await listWindows(context, query) }),
    listWebsInMaintenance: ({ query }, { context }) => listWebsInMaintenance(context, query.web),
    planWindow: ({ body }, { context }) => planWindow(context, body),
    editWindow: ({ params, body }, { context }) => editWindow(context, params.id, body),
    deleteWindow: ({ params }, { context }) => deleteWindow(context, params.id),
    endWindow: ({ params }, { context }) => endWindow(context, params.id),
    endMaintenance: ({ params }, { context }) => endMaintenance(context, params.id),
  })
