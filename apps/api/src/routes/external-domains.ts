import { externalDomainsRoutes } from '@kustos/contract/external-domains'
import {
  createExternalDomain,
  deleteExternalDomain,
  editExternalDomain,
  listExternalDomains,
} from '@kustos/domain/external-domains'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export const registerExternalDomainRoutes = (app: FastifyInstance, services: Services): void =>
  bind(app, services, 'external-domains', externalDomainsRoutes, {
    listExternalDomains: (_, { context }) => listExternalDomains(context),
    createExternalDomain: ({ body }, { context }) => createExternalDomain(context, body),
    editExternalDomain: ({ params, body }, { context }) => editExternalDomain(context, params.id, body),
    deleteExternalDomain: ({ params }, { context }) => deleteExternalDomain(context, params.id),
  })
