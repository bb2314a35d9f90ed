import { eventsPath } from '@kustos/contract/events'
import { beginSpan, type Span } from '@kustos/domain/platform/tracing'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { healthCheckRoutes, onResponseClosed } from './logging.ts'

const spans = new WeakMap<FastifyRequest, Span>()

/** Open for hours, or requested every few seconds. */
const untraced = [eventsPath, ...healthCheckRoutes]

/**
 * Records a request of the API as a span, and adds the id of its trace to its log lines. The trace begins here, whatever the
 * client sends.
 */
export function traceRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { url: route } = request.routeOptions
  if (route === undefined || !route.startsWith('/api/') || untraced.includes(route)) return
  const span = beginSpan(`${request.method} ${route}`, {
    kind: 'server',
    attributes: { 'http.request.method': request.method, 'http.route': route, 'kustos.request': request.id },
  })
  if (span === null) return
  spans.set(request, span)
  request.log = request.log.child({ trace_id: span.traceId })
  onResponseClosed(reply, ({ isComplete }) => {
    const { statusCode } = reply.raw
    span.set({ 'http.response.status_code': statusCode })
    if (statusCode >= 500) span.fail(String(statusCode))
    else if (!isComplete) span.fail('aborted')
    span.end()
  })
}

/** Makes the request's span the parent of what the handler causes. */
export function runInSpan<T>(request: FastifyRequest, handle: () => T): T {
  const span = spans.get(request)
  return span === undefined ? handle() : span.run(handle)
}
