import { eventsPath } from '@kustos/contract/events'
import { message } from '@kustos/contract/messages'
import { findSignedInUser } from '@kustos/domain/users'
import type { FastifyInstance } from 'fastify'
import { createEventStream } from '../event-stream.ts'
import { requireAccess, type Services } from '../plugins/contract.ts'
import { createErrorBody } from '../plugins/errors.ts'
import { createStreamSessions } from '../stream-sessions.ts'

/** How long a browser waits before it connects again. */
const retryMs = 2_000
/** A reader with more unread bytes is disconnected. It then reconnects and reloads everything. */
const maxWaitingBytes = 256 * 1024
/** The limit of streams of one user, which leaves connections for others. */
const maxStreamsPerUser = 100

/** Server-sent events about the changed lists that the user may see. */
export function registerEventRoutes(app: FastifyInstance, services: Services): void {
  /** Closes each open stream; the value is its user. */
  const open = new Map<() => void, number>()
  const sessions = createStreamSessions()
  app.addHook('preClose', async () => {
    for (const end of open.keys()) end()
  })

  app.get(
    eventsPath,
    { schema: { hide: true }, exposeHeadRoute: false, onRequest: [requireAccess(services, 'signed-in')] },
    (request, reply) => {
      const { actor: user } = request
      if (user === null) return reply.code(401).send()
      // The client has gone while its user was read, and nothing would end its stream.
      if (reply.raw.destroyed) return reply.hijack()
      if ([...open.values()].filter((id) => id === user.id).length >= maxStreamsPerUser)
        return reply
          .code(429)
          .header('retry-after', '30')
          .send(createErrorBody(message('too_many_attempts')))
      const { sessionId } = request.session
      const { raw } = reply
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) raw.setHeader(name, value)
      }
      reply.hijack()
      raw.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        // A closed stream must leave no idle connection, for which a stopping server would wait.
        connection: 'close',
      })
      raw.write(`retry: ${retryMs}\n\n`)

      const {
        now,
        database: { db },
      } = services
      const { readUser, leave } = sessions.join(
        sessionId,
        () => findSignedInUser({ db, now }, { sessionId, userId: user.id }),
        () => {
          stream.refreshUser()
          raw.write(': here\n\n')
        },
      )
      const stream = createEventStream({
        user,
        readUser,
        send(event) {
          if (raw.writableLength > maxWaitingBytes) return void raw.destroy()
          raw.write(`event: changed\ndata: ${JSON.stringify(event)}\n\n`)
        },
        onGone: end,
        // The database is down: the permissions are read again later.
        onError: (error) => request.log.warn({ err: error }, 'the stream cannot read its user'),
      })
      const unsubscribe = services.events.subscribe(stream.receive)
      function end() {
        leave()
        unsubscribe()
        stream.end()
        open.delete(end)
        raw.end()
      }
      open.set(end, user.id)
      raw.on('close', end)
      // The user may have changed between the request and the subscription.
      stream.refreshUser()
    },
  )
}
