import { eventsPath } from '@kustos/contract/events'
import { checkMetricsAccess, type Figures, watchFigures, watchPool } from '@kustos/domain/metrics'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { Gauge, Histogram, type Registry } from 'prom-client'
import type { Services } from './contract.ts'
import { onResponseClosed } from './logging.ts'

/** From a 304 to the statement timeout. */
const bucketsSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** One label for the frontend's files and unknown paths, since every value of a label takes memory forever. */
const routeOf = (url: string | undefined) =>
  url !== undefined && /^\/(api|sanctum|metrics)(\/|$)/.test(url) ? url : 'other'

/** Measures requests, except event streams. */
export function requestMeter(registry: Registry): (request: FastifyRequest, reply: FastifyReply) => void {
  const durations = new Histogram({
    name: 'kustos_http_request_duration_seconds',
    help: 'Requests by the pattern of their route, their method and the class of their status',
    labelNames: ['route', 'method', 'status'],
    buckets: bucketsSeconds,
    registers: [registry],
  })
  return (request, reply) =>
    onResponseClosed(reply, ({ ms, isComplete }) => {
      const { statusCode } = reply.raw
      const { url } = request.routeOptions
      if (url === eventsPath && statusCode === 200) return
      const method = methods.includes(request.method) ? request.method : 'other'
      const status = isComplete ? `${Math.floor(statusCode / 100)}xx` : 'aborted'
      durations.observe({ route: routeOf(url), method, status }, ms / 1000)
    })
}

export interface MetricsOptions {
  readonly registry: Registry
  /** For clients on other machines; null for none. */
  readonly token: string | null
  readonly services: Pick<Services, 'database' | 'now'>
  readonly figures: () => Promise<Figures>
}

/** Serves metrics for Prometheus. */
export const metrics = fp<MetricsOptions>((app: FastifyInstance, options, done) => {
  const { registry, token, services, figures } = options
  watchPool(registry, services.database)
  watchFigures(registry, figures, () => services.now().getTime() / 1000)
  countStreams(app, registry)
  app.get('/metrics', { schema: { hide: true }, exposeHeadRoute: false }, async (request, reply) => {
    const { headers, raw } = request
    const access = checkMetricsAccess({ peer: raw.socket.remoteAddress, headers }, token)
    reply.header('cache-control', 'no-store')
    if (!access.ok) {
      if (access.acceptsToken) reply.header('www-authenticate', 'Bearer')
      return reply.code(access.acceptsToken ? 401 : 403).send({ message: access.message })
    }
    return reply.header('content-type', registry.contentType).send(await registry.metrics())
  })
  done()
})

function countStreams(app: FastifyInstance, registry: Registry): void {
  const streams = new Gauge({
    name: 'kustos_event_streams',
    help: 'Open streams of /api/events: one per open browser',
    registers: [registry],
  })
  // After its access was checked.
  app.addHook('preHandler', (request, reply, next) => {
    if (request.routeOptions.url === eventsPath && !reply.raw.destroyed) {
      streams.inc()
      reply.raw.once('close', () => streams.dec())
    }
    next()
  })
}
