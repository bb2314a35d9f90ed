import { alertChannelsRoutes } from '@kustos/contract/alert-channels'
import {
  createAlertChannel,
  deleteAlertChannel,
  editAlertChannel,
  listAlertChannels,
  testAlertChannel,
} from '@kustos/domain/alert-channels'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export const registerAlertChannelRoutes = (app: FastifyInstance, services: Services): void =>
  bind(app, services, 'alert-channels', alertChannelsRoutes, {
    listAlertChannels: async (_, { context }) => ({ data: await listAlertChannels(context) }),
    createAlertChannel: ({ body }, { context }) => createAlertChannel(context, services.secretBox, body),
    editAlertChannel: ({ params, body }, { context }) =>
      editAlertChannel(context, services.secretBox, params.id, body),
    deleteAlertChannel: ({ params }, { context }) =>
      deleteAlertChannel(context, services.secretBox, params.id),
    testAlertChannel: ({ params }, { context }) => testAlertChannel(context, services.deployments, params.id),
  })
