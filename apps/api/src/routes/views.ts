import { viewsRoutes } from '@kustos/contract/views'
import { editViewNotifications } from '@kustos/domain/subscriptions'
import { createView, deleteView, editView, editViewPreference, listViews } from '@kustos/domain/views'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export const registerViewRoutes = (app: FastifyInstance, services: Services): void =>
  bind(app, services, 'views', viewsRoutes, {
    listViews: (_, { context }) => listViews(context),
    createView: ({ body }, { context }) => createView(context, body),
    editView: ({ params, body }, { context }) => editView(context, params.id, body),
    deleteView: ({ params }, { context }) => deleteView(context, params.id),
    editViewPreference: ({ params, body }, { context }) => editViewPreference(context, params.id, body),
    editViewNotifications: ({ params, body }, { context }) => editViewNotifications(context, params.id, body),
  })
