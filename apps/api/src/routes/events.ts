import { errorTexts } from '@kustos/contract/errors'
import { eventsPath } from '@kustos/contract/events'
import { isSignedIn } from '@kustos/domain/auth'
import { findCurrentUser } from '@kustos/domain/users'
import type { FastifyInstance } from 'fastify'
import { eventStream } from '../event-stream.ts'
import { requireAccess, type Services } from '../plugins/contract.ts'

/** How often a quiet stream says that it lives, and its user is read anew. In milliseconds. */
const heartbeat = 15_000
/** How long a browser waits before it connects again. In milliseconds. */
const retry = 2_000
/** A reader that lets this much pile up, in bytes, is cut off; it connects again and reads everything anew. */
const mostWaiting = 256 * 1024
/** Of one user at a time: more than anybody has screens, and few enough to leave connections for everybody else. */
const mostStreams = 100

/** Server-sent events: which lists have changed, of those that the user may see. */
export function events(app: FastifyInstance, services: Services): void {
  /** What ends each open stream, and whose it is. */
  const open = new Map<() => void, number>()
  app.addHook('preClose', async () => {
    for (const end of open.keys()) end()
  })

  app.get(
    eventsPath,
    { schema: { hide: true }, exposeHeadRoute: false, onRequest: [requireAccess(services, 'signed-in')] },
    (request, reply) => {
      const { actor: user } = request
      if (user === null) return reply.code(401).send()
      if ([...open.values()].filter((id) => id === user.id).length >= mostStreams)
        return reply.code(429).header('retry-after', '30').send({ message: errorTexts.tooManyAttempts })
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
        // A stream that has ended leaves no idle connection behind, which a server that stops would wait for.
        connection: 'close',
      })
      raw.write(`retry: ${retry}\n\n`)

      const stream = eventStream({
        user,
        async readUser() {
          const { db } = services.database
          const isHere = await isSignedIn(db, sessionId, user.id, services.now())
          return isHere ? findCurrentUser(db, user.id) : null
        },
        send(event) {
          if (raw.writableLength > mostWaiting) return void raw.destroy()
          raw.write(`event: changed\ndata: ${JSON.stringify(event)}\n\n`)
        },
        onGone: end,
        // The database is away: whoever may see what is asked again.
        onError: (error) => request.log.warn({ err: error }, 'the stream cannot read its user'),
      })
      const unsubscribe = services.events.subscribe(stream.hear)
      const beat = setInterval(() => {
        stream.look()
        raw.write(': here\n\n')
      }, heartbeat)
      function end() {
        clearInterval(beat)
        unsubscribe()
        stream.end()
        open.delete(end)
        raw.end()
      }
      open.set(end, user.id)
      raw.on('close', end)
      // What changed after the request's own look at the user, and before somebody listened.
      stream.look()
    },
  )
}
