import { fileURLToPath } from 'node:url'
import compress from '@fastify/compress'
import type { OpenDatabase } from '@kustos/database/client'
import type { DeploymentTools } from '@kustos/domain/deployment'
import { openDenials, openRefusedSignIns } from '@kustos/domain/logs'
import { openFigures } from '@kustos/domain/metrics'
import type { MonitoringSettings } from '@kustos/domain/monitoring'
import type { Events } from '@kustos/domain/platform/events'
import type { Bitbucket } from '@kustos/domain/services'
import { openExports } from '@kustos/domain/webs'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { Registry } from 'prom-client'
import type { Services } from './plugins/contract.ts'
import { tellCounted } from './plugins/counted.ts'
import { documentation } from './plugins/documentation.ts'
import { answerError, errors, parseInput } from './plugins/errors.ts'
import { frontend } from './plugins/frontend.ts'
import { type Limits, limitConnections, serverLimits, usualLimits } from './plugins/limits.ts'
import { logRequest, RequestLines, requestIds } from './plugins/logging.ts'
import { metrics, requestMeter } from './plugins/metrics.ts'
import { security, setSecurityHeaders } from './plugins/security.ts'
import { sessions } from './plugins/session.ts'
import { auth } from './routes/auth.ts'
import { bitbucket } from './routes/bitbucket.ts'
import { deployment } from './routes/deployment.ts'
import { events } from './routes/events.ts'
import { externalDomains } from './routes/external-domains.ts'
import { health } from './routes/health.ts'
import { inspections } from './routes/inspections.ts'
import { limitis } from './routes/limitis.ts'
import { logs } from './routes/logs.ts'
import { monitoring } from './routes/monitoring.ts'
import { queue } from './routes/queue.ts'
import { tracking } from './routes/tracking.ts'
import { users } from './routes/users.ts'
import { webs } from './routes/webs.ts'

export interface AppOptions {
  readonly database: OpenDatabase
  readonly sessionSecret: string
  readonly monitoring?: MonitoringSettings
  /** Addresses and networks (CIDR) of proxies whose X-Forwarded headers are trusted. */
  readonly trustProxy?: readonly string[]
  readonly deployments: DeploymentTools
  /** Null if not configured. */
  readonly bitbucket: Bitbucket | null
  readonly events: Events
  readonly now?: () => Date
  /** Deviations from `usualLimits`. */
  readonly limits?: Partial<Limits>
  /** By default nothing is logged. */
  readonly log?: FastifyBaseLogger
  /** The registry of this process. */
  readonly registry?: Registry
  /** For clients of the metrics on other machines; null for none. */
  readonly metricsToken?: string | null
  /** The folder of the built frontend. */
  readonly frontendFolder?: string
}

const builtFrontend = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** The API with all its routes, not yet listening. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { trustProxy = [], registry = new Registry() } = options
  const limits = { ...usualLimits, ...options.limits }
  const measureRequest = requestMeter(registry)
  const app = Fastify({
    ...(options.log && { loggerInstance: options.log }),
    logController: new RequestLines(),
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    genReqId: requestIds(trustProxy),
    ...serverLimits(limits),
    forceCloseConnections: 'idle',
    // Requests on open connections are served until the end.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    // Errors before routing, such as a malformed path, get the usual answer.
    frameworkErrors: (error, request, reply) => {
      logRequest(request, reply)
      measureRequest(request, reply)
      setSecurityHeaders(reply)
      answerError(error, request, reply)
    },
  })
  limitConnections(app, limits)
  app.setValidatorCompiler(parseInput)
  app.setSerializerCompiler(serializerCompiler)
  // JSON only: forms of other origins may send text without a preflight request.
  app.removeContentTypeParser('text/plain')
  app.decorateRequest('actor', null)
  app.addHook('onRequest', (request, reply, next) => {
    logRequest(request, reply)
    measureRequest(request, reply)
    next()
  })
  const { monitoring: settings = { interval: 60, internalMarker: '' } } = options
  const services: Services = {
    database: options.database,
    now: options.now ?? (() => new Date()),
    exports: openExports({
      internalMarker: settings.internalMarker,
      deadlineMs: limits.export,
    }),
    denials: openDenials(),
    refusedSignIns: openRefusedSignIns(),
    deployments: options.deployments,
    bitbucket: options.bitbucket,
    events: options.events,
    monitoring: settings,
  }
  tellCounted(app, services)
  await app.register(errors)
  await app.register(security)
  await app.register(compress, { threshold: 1024, encodings: ['zstd', 'br', 'gzip'] })
  health(app, services)
  await app.register(metrics, {
    registry,
    token: options.metricsToken ?? null,
    services,
    figures: openFigures({
      context: options.database,
      queues: options.deployments.queues,
      internalMarker: settings.internalMarker,
      onError: (error) => app.log.warn({ err: error }, 'metrics are incomplete'),
    }),
  })
  await app.register(async (scope) => {
    await scope.register(sessions, {
      database: options.database,
      secret: options.sessionSecret,
      now: services.now,
    })
    await scope.register(documentation, { services })
    auth(scope, services)
    users(scope, services)
    webs(scope, services)
    deployment(scope, services)
    bitbucket(scope, services)
    externalDomains(scope, services)
    limitis(scope, services)
    logs(scope, services)
    queue(scope, services)
    monitoring(scope, services)
    tracking(scope, services)
    inspections(scope, services)
    events(scope, services)
  })
  await app.register(frontend, { folder: options.frontendFolder ?? builtFrontend })
  return app
}
