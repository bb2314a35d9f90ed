import { usersRoutes } from '@kustos/contract/users'
import { DomainError } from '@kustos/domain/errors'
import { editOwnSettings } from '@kustos/domain/users'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export const users = (app: FastifyInstance, services: Services): void =>
  bind(app, services, 'users', usersRoutes, {
    async currentUser(_, { context }) {
      if (!context.actor) throw new DomainError('unauthenticated', 'Unauthenticated.')
      return context.actor
    },
    async editUser({ params, body }, { context, request }) {
      await editOwnSettings(context, params.id, body, request.session.sessionId)
    },
  })
