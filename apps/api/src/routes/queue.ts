import { queueRoutes } from '@kustos/contract/queue'
import { openJobList } from '@kustos/domain/queue'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export function queue(app: FastifyInstance, services: Services): void {
  const listJobs = openJobList(services.deployments.queues)
  bind(app, services, 'queue', queueRoutes, {
    listJobs: async (_, { context }) => [...(await listJobs(context))],
  })
}
