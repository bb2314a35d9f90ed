import { alertRoutesRoutes } from '@kustos/contract/alert-routes'
import {
  createAlertRoute,
  deleteAlertRoute,
  editAlertRoute,
  listAlertRoutes,
  orderAlertRoutes,
} from '@kustos/domain/alert-routes'
import { previewAlert } from '@kustos/domain/monitoring'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export const registerAlertRoutesRoutes = (app: FastifyInstance, services: Services): void =>
  bind(app, services, 'alert-routes', alertRoutesRoutes, {
    listAlertRoutes: async ({ query }, { context }) => ({ data: await listAlertRoutes(context, query) }),
    createAlertRoute: ({ body }, { context }) => createAlertRoute(context, body),
    editAlertRoute: ({ params, body }, { context }) => editAlertRoute(context, params.id, body),
    deleteAlertRoute: ({ params }, { context }) => deleteAlertRoute(context, params.id),
    orderAlertRoutes: ({ body }, { context }) => orderAlertRoutes(context, body.ids),
    previewAlert: ({ body }, { context }) => previewAlert(context, body),
  })
