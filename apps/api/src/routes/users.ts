import { usersRoutes } from '@kustos/contract/users'
import { actorOf } from '@kustos/domain/context'
import { editOwnSettings } from '@kustos/domain/users'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export const users = (app: FastifyInstance, services: Services): void =>
  bind(app, services, 'users', usersRoutes, {
    currentUser: async (_, { context }) => actorOf(context),
    async editUser({ params, body }, { context, request }) {
      await editOwnSettings(context, params.id, body, request.session.sessionId)
    },
  })
