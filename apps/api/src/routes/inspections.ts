import { inspectionRoutes } from '@kustos/contract/inspections'
import { listWebFacts, readInspection } from '@kustos/domain/inspections'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export function registerInspectionRoutes(app: FastifyInstance, services: Services): void {
  bind(app, services, 'inspections', inspectionRoutes, {
    readInspection: ({ params }, { context }) => readInspection(context, params.id),
    listWebFacts: async ({ params }, { context }) => ({ data: await listWebFacts(context, params.id) }),
  })
}
