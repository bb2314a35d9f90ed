import { fileURLToPath } from 'node:url'
import compress from '@fastify/compress'
import type { OpenDatabase } from '@kustos/database/client'
import type { DeploymentTools } from '@kustos/domain/deployment'
import type { Events } from '@kustos/domain/events'
import { openDenials, openRefusedSignIns } from '@kustos/domain/logs'
import { openFigures } from '@kustos/domain/metrics'
import type { MonitoringSettings } from '@kustos/domain/monitoring'
import type { Bitbucket } from '@kustos/domain/outside'
import { openExports } from '@kustos/domain/webs'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { Registry } from 'prom-client'
import type { Services } from './plugins/contract.ts'
import { tellCounted } from './plugins/counted.ts'
import { documentation } from './plugins/documentation.ts'
import { answerError, errors } from './plugins/errors.ts'
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
  /** Proxies (addresses, CIDR) whose X-Forwarded headers count. */
  readonly trustProxy?: readonly string[]
  readonly deployments: DeploymentTools
  /** Null where no workspace is configured. */
  readonly bitbucket: Bitbucket | null
  readonly events: Events
  readonly now?: () => Date
  /** Where they are other than `usualLimits`. */
  readonly limits?: Partial<Limits>
  /** Nothing is logged unless told otherwise. */
  readonly log?: FastifyBaseLogger
  /** Where the metrics of this process are, which the app's join. */
  readonly registry?: Registry
  /** Lets those read the metrics who are not on this machine; null for nobody. */
  readonly metricsToken?: string | null
  /** Where the built frontend lies. */
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
    // Until everything has ended, what still comes on open connections is served like all else.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    // What fails before there is a route (a path that is not well-formed) is answered like all else.
    frameworkErrors: (error, request, reply) => {
      logRequest(request, reply)
      measureRequest(request, reply)
      setSecurityHeaders(reply)
      answerError(error, request, reply)
    },
  })
  limitConnections(app, limits)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  // JSON it is: a form of another origin may send text without asking.
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
      deadline: limits.export,
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
