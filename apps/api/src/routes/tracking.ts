import { trackingRoutes } from '@kustos/contract/tracking'
import { requestInspection } from '@kustos/domain/inspections'
import { listTrackingAudits, listViolations } from '@kustos/domain/tracking'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export function registerTrackingRoutes(app: FastifyInstance, services: Services): void {
  const { deployments: tools } = services
  bind(app, services, 'tracking', trackingRoutes, {
    updateTracking: async ({ params }, { context, reply }) => {
      const id = await requestInspection(context, tools, 'tracking', params.id)
      reply.header('location', `/api/inspections/${id}`)
    },
    listTrackingAudits: async ({ params }, { context }) => ({
      data: await listTrackingAudits(context, params.id),
      violations: await listViolations(context, params.id),
    }),
  })
}
