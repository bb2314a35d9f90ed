import { searchRoutes } from '@kustos/contract/search'
import { search } from '@kustos/domain/search'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export const registerSearchRoutes = (app: FastifyInstance, services: Services): void =>
  bind(app, services, 'search', searchRoutes, {
    search: async ({ query }, { context }) => ({ data: await search(context, query.q) }),
  })
