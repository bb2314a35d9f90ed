import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { checkMetricsAccess } from '@kustos/domain/metrics'
import { createHostFilter } from '@kustos/domain/platform/hosts'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'

interface MetricsServerOptions {
  readonly registry: Registry
  readonly host: string
  readonly port: number
  /** Names that clients may use for this server, besides `localhost` and addresses. */
  readonly hosts: readonly string[]
  /** For clients on other machines; null for none. */
  readonly token: string | null
  readonly log: Logger
}

/**
 * Serves the metrics of a worker at /metrics.
 * @throws Error if the port is not available
 */
export async function serveMetrics(options: MetricsServerOptions) {
  const { host, port, hosts, log } = options
  const isKnownHost = createHostFilter(hosts)
  const server = createServer((request, response) => {
    if ((request.headersDistinct.host ?? []).length > 1 || !isKnownHost(request.headers.host ?? ''))
      return sendJson(response, 400, 'The host of the request is unknown: ALLOWED_HOSTS has to name it.')
    serve(options, request, response).catch((error: unknown) => {
      log.error({ err: error }, 'cannot read the metrics')
      sendJson(response, 500, 'The metrics cannot be read; the log says why.')
    })
  })
  server.requestTimeout = 10_000
  server.listen({ host, port })
  await once(server, 'listening')
  server.on('error', (error) => log.error({ err: error }, 'the metrics server failed'))
  return {
    stop(): Promise<void> {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function serve(
  { registry, token }: MetricsServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.url?.split('?', 1)[0] !== '/metrics') return sendJson(response, 404, 'Metrics are at /metrics.')
  if (request.method !== 'GET') return sendJson(response, 405, 'Metrics are read by GET.', { allow: 'GET' })
  const access = checkMetricsAccess({ peer: request.socket.remoteAddress, headers: request.headers }, token)
  if (access.ok) {
    const text = await registry.metrics()
    response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(text)
  } else if (access.acceptsToken) sendJson(response, 401, access.message, { 'www-authenticate': 'Bearer' })
  else sendJson(response, 403, access.message)
}

function sendJson(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent) return void response.destroy()
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    .end(JSON.stringify({ message }))
}
