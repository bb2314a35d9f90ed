import { Readable } from 'node:stream'
import { logSearchRoutes, logsRoutes } from '@kustos/contract/logs'
import { countLogs, exportLogs, listLogs } from '@kustos/domain/logs'
import { dayAt } from '@kustos/domain/platform/local-time'
import { revertChange } from '@kustos/domain/reverts'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export const registerLogRoutes = (app: FastifyInstance, services: Services): void =>
  bind(
    app,
    services,
    'logs',
    { ...logsRoutes, ...logSearchRoutes },
    {
      async listLogs({ query }, { context, reply }) {
        const list = await listLogs(context, query)
        return reply
          .header('cache-control', 'private, no-store')
          .header('content-type', 'application/json; charset=utf-8')
          .send(Buffer.from(list))
      },
      countLogs: ({ query }, { context }) => countLogs(context, query),
      async exportLogs({ query }, { context, reply }) {
        const lines = await exportLogs(context, query)
        const day = dayAt(context.now().getTime())
        // Five million entries take some minutes.
        reply.isMadeInPages = true
        return reply
          .header('cache-control', 'private, no-store')
          .header('content-type', 'text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename="log-${day}.csv"`)
          .send(Readable.from(lines))
      },
      revertChange: ({ params }, { context }) => revertChange(context, params.id),
    },
  )
