import { queueRoutes } from '@kustos/contract/queue'
import { listJobs } from '@kustos/domain/queue'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export function queue(app: FastifyInstance, services: Services): void {
  bind(app, services, 'queue', queueRoutes, {
    listJobs: (_, { context }) => listJobs(context, services.deployments.queues),
  })
}
