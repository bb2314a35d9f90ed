import { message } from '@kustos/contract/messages'
import { isOutOfConnections } from '@kustos/database/client'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../plugins/contract.ts'
import { createErrorBody } from '../plugins/errors.ts'

/** Liveness and readiness, without a session. */
export function registerHealthRoutes(app: FastifyInstance, { database }: Services): void {
  app.get('/api/health', { schema: { hide: true } }, async () => ({ status: 'ok' }))
  app.get('/api/ready', { schema: { hide: true } }, async (request, reply) => {
    try {
      await database.pool.query('select 1')
      return { status: 'ok' }
    } catch (error) {
      request.log.warn({ err: error }, 'not ready')
      return reply
        .code(503)
        .send(
          isOutOfConnections(error)
            ? createErrorBody(message('database_busy'))
            : createErrorBody(message('database_unavailable'), 'The database is unavailable.'),
        )
    }
  })
}
