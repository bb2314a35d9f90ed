import { thirdPartiesRoutes } from '@kustos/contract/third-parties'
import { classifyThirdParty, editTrackingPolicy, listThirdParties } from '@kustos/domain/third-parties'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export const registerThirdPartyRoutes = (app: FastifyInstance, services: Services): void =>
  bind(app, services, 'third-parties', thirdPartiesRoutes, {
    listThirdParties: ({ query }, { context }) => listThirdParties(context, query, services.monitoring),
    classifyThirdParty: ({ body }, { context }) => classifyThirdParty(context, body),
    editTrackingPolicy: ({ body }, { context }) => editTrackingPolicy(context, body),
  })
