import { type ChangedEvent, type EventList, eventLists, eventsPath } from '@kustos/contract/events'
import { can } from '@kustos/contract/permissions'
import type { CurrentUser } from '@kustos/contract/users'
import { isSignedIn } from '@kustos/domain/auth'
import { findCurrentUser } from '@kustos/domain/users'
import type { FastifyInstance } from 'fastify'
import { requireAccess, type Services } from '../plugins/contract.ts'

/** How often a quiet stream says that it lives, and its user is read anew. In milliseconds. */
const heartbeat = 15_000
/** How long a browser waits before it connects again. In milliseconds. */
const retry = 2_000
/** A reader that lets this much pile up, in bytes, is cut off; it connects again and reads everything anew. */
const mostWaiting = 256 * 1024

/** Server-sent events: which lists have changed, of those that the user may see. */
export function events(app: FastifyInstance, services: Services): void {
  const open = new Set<() => void>()
  app.addHook('preClose', async () => {
    for (const end of open) end()
  })

  app.get(
    eventsPath,
    { schema: { hide: true }, exposeHeadRoute: false, onRequest: [requireAccess(services, 'signed-in')] },
    (request, reply) => {
      let user: CurrentUser | null = request.actor
      if (user === null) return reply.code(401).send()
      const { id } = user
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

      const send = (event: ChangedEvent) => {
        if (!can(user, eventLists[event.list])) return
        if (raw.writableLength > mostWaiting) return void raw.destroy()
        raw.write(`event: changed\ndata: ${JSON.stringify(event)}\n\n`)
      }
      const unsubscribe = services.events.subscribe((event) => {
        if (event !== 'missed some') return send(event)
        for (const list of Object.keys(eventLists) as EventList[]) send({ list })
      })
      const beat = setInterval(async () => {
        try {
          const { db } = services.database
          const isHere = await isSignedIn(db, request.session.sessionId, id, services.now())
          user = isHere ? await findCurrentUser(db, id) : null
          if (!open.has(end)) return
          if (user === null) return end()
        } catch (error) {
          // The database is away: whoever may see what is asked again at the next beat.
          request.log.warn({ err: error }, 'the stream cannot read its user')
        }
        raw.write(': here\n\n')
      }, heartbeat)
      function end() {
        clearInterval(beat)
        unsubscribe()
        open.delete(end)
        raw.end()
      }
      open.add(end)
      raw.on('close', end)
    },
  )
}
