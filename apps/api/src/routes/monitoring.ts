import { certificatesRoutes } from '@kustos/contract/certificates'
import { monitoringRoutes } from '@kustos/contract/monitoring'
import {
  listIncidents,
  listMonitoredWebs,
  listStatistics,
  listUptime,
  listWebCertificates,
  readMonitoredWeb,
  readMonitoring,
} from '@kustos/domain/monitoring'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export function registerMonitoringRoutes(app: FastifyInstance, services: Services): void {
  const { monitoring: settings } = services
  bind(app, services, 'monitoring', monitoringRoutes, {
    listStatistics: async ({ query }, { context }) => ({ data: await listStatistics(context, query) }),
    listUptime: async ({ query }, { context }) => ({ data: await listUptime(context, query) }),
    listIncidents: async ({ query }, { context }) => ({
      data: await listIncidents(context, query),
    }),
    listMonitoredWebs: (_, { context }) => listMonitoredWebs(context, settings),
    readMonitoredWeb: ({ params }, { context }) => readMonitoredWeb(context, settings, params.id),
    readMonitoring: (_, { context }) => readMonitoring(context, settings),
  })
  bind(app, services, 'certificates', certificatesRoutes, {
    listWebCertificates: async ({ params }, { context }) => ({
      data: await listWebCertificates(context, params.id),
    }),
  })
}
