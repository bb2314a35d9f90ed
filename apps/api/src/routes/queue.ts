import { queueRoutes } from '@kustos/contract/queue'
import { createJobLister } from '@kustos/domain/queue'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export function registerQueueRoutes(app: FastifyInstance, services: Services): void {
  const listJobs = createJobLister(services.deployments.queues)
  bind(app, services, 'queue', queueRoutes, {
    listJobs: async (_, { context }) => [...(await listJobs(context))],
  })
}
