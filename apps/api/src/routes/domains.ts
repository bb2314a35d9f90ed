import { domainsRoutes } from '@kustos/contract/domains'
import { editDomainAlerts, readDomainRecords } from '@kustos/domain/domains'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export const registerDomainRoutes = (app: FastifyInstance, services: Services): void =>
  bind(app, services, 'domains', domainsRoutes, {
    readDomainRecords: ({ params }, { context }) =>
      readDomainRecords(context, params.fqdn, services.dnsAlertTypes),
    editDomainAlerts: ({ params, body }, { context }) => editDomainAlerts(context, params.fqdn, body),
  })
