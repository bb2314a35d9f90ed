import { logsRoutes } from '@kustos/contract/logs'
import { listLogs } from '@kustos/domain/logs'
import { revertChange } from '@kustos/domain/reverts'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export const registerLogRoutes = (app: FastifyInstance, services: Services): void =>
  bind(app, services, 'logs', logsRoutes, {
    async listLogs({ query }, { context, reply }) {
      const list = await listLogs(context, query)
      return reply
        .header('cache-control', 'private, no-store')
        .header('content-type', 'application/json; charset=utf-8')
        .send(Buffer.from(list))
    },
    revertChange: ({ params }, { context }) => revertChange(context, params.id),
  })
