import { fileURLToPath } from 'node:url'
import compress from '@fastify/compress'
import { dnsTypes } from '@kustos/contract/domains'
import { createDenialLog } from '@kustos/domain/logs'
import { openFigures } from '@kustos/domain/metrics'
import { openExports } from '@kustos/domain/webs'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { Registry } from 'prom-client'
import type { Services } from './plugins/contract.ts'
import { documentation } from './plugins/documentation.ts'
import { errors, parseInput, sendError } from './plugins/errors.ts'
import { flushCountedEvents } from './plugins/flush-counted-events.ts'
import { frontend } from './plugins/frontend.ts'
import { knownHosts, removeForwardedPorts, rewriteAbsoluteTarget } from './plugins/hosts.ts'
import { type Limits, limitConnections, serverLimits, usualLimits } from './plugins/limits.ts'
import { logRequest, requestIds, SilentLogController } from './plugins/logging.ts'
import { metrics, requestMeter } from './plugins/metrics.ts'
import { security, setSecurityHeaders } from './plugins/security.ts'
import { sessions } from './plugins/session.ts'
import { traceRequest } from './plugins/tracing.ts'
import { registerAlertChannelRoutes } from './routes/alert-channels.ts'
import { registerAlertRoutesRoutes } from './routes/alert-routes.ts'
import { registerAttentionRoutes } from './routes/attention.ts'
import { registerAuthRoutes } from './routes/auth.ts'
import { registerBatchRoutes } from './routes/batches.ts'
import { registerBitbucketRoutes } from './routes/bitbucket.ts'
import { registerCheckRoutes } from './routes/checks.ts'
import { registerCustomerRoutes } from './routes/customers.ts'
import { registerDeploymentRoutes } from './routes/deployment.ts'
import { registerDomainRoutes } from './routes/domains.ts'
import { registerEventRoutes } from './routes/events.ts'
import { registerExternalDomainRoutes } from './routes/external-domains.ts'
import { registerHealthRoutes } from './routes/health.ts'
import { registerIncidentRoutes } from './routes/incidents.ts'
import { registerInspectionRoutes } from './routes/inspections.ts'
import { registerLimitisRoutes } from './routes/limitis.ts'
import { registerLogRoutes } from './routes/logs.ts'
import { registerMaintenanceRoutes } from './routes/maintenance.ts'
import { registerMonitoringRoutes } from './routes/monitoring.ts'
import { registerNodeRoutes } from './routes/nodes.ts'
import { registerQueueRoutes } from './routes/queue.ts'
import { registerReportRoutes } from './routes/reports.ts'
import { registerRotasRoutes } from './routes/rotas.ts'
import { registerSearchRoutes } from './routes/search.ts'
import { registerTagRoutes } from './routes/tags.ts'
import { registerThirdPartyRoutes } from './routes/third-parties.ts'
import { registerTrackingRoutes } from './routes/tracking.ts'
import { registerTrackingContractRoutes } from './routes/tracking-contracts.ts'
import { registerUserRoutes } from './routes/users.ts'
import { registerViewRoutes } from './routes/views.ts'
import { registerWebRoutes } from './routes/webs.ts'

export interface AppOptions
  extends Pick<Services, 'database' | 'deployments' | 'bitbucket' | 'events' | 'mail'> {
  readonly sessionSecret: string
  readonly secretBox?: Services['secretBox']
  readonly reportSigner?: Services['reportSigner']
  /** Names that clients may use for this server, besides `localhost` and addresses. */
  readonly hosts?: readonly string[]
  readonly monitoring?: Services['monitoring']
  /** By default all. */
  readonly dnsAlertTypes?: Services['dnsAlertTypes']
  /** Addresses and networks (CIDR) of proxies whose X-Forwarded headers are trusted. */
  readonly trustProxy?: readonly string[]
  readonly now?: () => Date
  /** Deviations from `usualLimits`. */
  readonly limits?: Partial<Limits>
  /** By default nothing is logged. */
  readonly log?: FastifyBaseLogger
  readonly registry?: Registry
  /** For clients of the metrics on other machines; null for none. */
  readonly metricsToken?: string | null
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
    logController: new SilentLogController(),
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    genReqId: requestIds(trustProxy),
    // The first to see a request.
    rewriteUrl(request) {
      if (trustProxy.length > 0) removeForwardedPorts(request)
      return rewriteAbsoluteTarget(request)
    },
    ...serverLimits(limits),
    forceCloseConnections: 'idle',
    // Requests on open connections are served until the end.
    return503OnClosing: false,
    // The code of a customer has up to 255 characters, each of which may take nine in a path.
    routerOptions: { maxParamLength: 9 * 255 },
    // Errors before routing, such as a malformed path, get the usual response.
    frameworkErrors: (error, request, reply) => {
      logRequest(request, reply)
      measureRequest(request, reply)
      setSecurityHeaders(reply)
      sendError(error, request, reply)
    },
  })
  limitConnections(app, limits)
  app.setValidatorCompiler(parseInput)
  app.setSerializerCompiler(serializerCompiler)
  // JSON only: forms of other origins may send text without a preflight request.
  app.removeContentTypeParser('text/plain')
  app.decorateRequest('actor', null)
  app.addHook('onRequest', (request, reply, next) => {
    traceRequest(request, reply)
    logRequest(request, reply)
    measureRequest(request, reply)
    next()
  })
  const { database, deployments, events, now = () => new Date() } = options
  const { monitoring: settings = { intervalSeconds: 60, internalMarker: '' } } = options
  const { internalMarker } = settings
  const services: Services = {
    database,
    now,
    exports: openExports({
      internalMarker,
      deadlineMs: limits.exportMs,
      selectionMs: limits.exportSelectionMs,
    }),
    denials: createDenialLog(),
    deployments,
    bitbucket: options.bitbucket,
    mail: options.mail,
    events,
    monitoring: settings,
    dnsAlertTypes: options.dnsAlertTypes ?? dnsTypes,
    secretBox: options.secretBox ?? null,
    reportSigner: options.reportSigner ?? null,
  }
  flushCountedEvents(app, services)
  await app.register(errors)
  await app.register(security)
  await app.register(knownHosts, { hosts: options.hosts ?? [] })
  await app.register(compress, { threshold: 1024, encodings: ['zstd', 'br', 'gzip'] })
  registerHealthRoutes(app, services)
  await app.register(metrics, {
    registry,
    token: options.metricsToken ?? null,
    services,
    figures: openFigures({
      context: database,
      queues: deployments.queues,
      internalMarker,
      onError: (error) => app.log.warn({ err: error }, 'metrics are incomplete'),
    }),
  })
  await app.register(async (scope) => {
    await scope.register(sessions, { database, secret: options.sessionSecret, now })
    await scope.register(documentation, { services })
    registerAuthRoutes(scope, services)
    registerUserRoutes(scope, services)
    registerWebRoutes(scope, services)
    registerDeploymentRoutes(scope, services)
    registerNodeRoutes(scope, services)
    registerAlertChannelRoutes(scope, services)
    registerBatchRoutes(scope, services)
    registerCustomerRoutes(scope, services)
    registerTagRoutes(scope, services)
    registerThirdPartyRoutes(scope, services)
    registerCheckRoutes(scope, services)
    registerBitbucketRoutes(scope, services)
    registerDomainRoutes(scope, services)
    registerExternalDomainRoutes(scope, services)
    registerLimitisRoutes(scope, services)
    registerLogRoutes(scope, services)
    registerQueueRoutes(scope, services)
    registerMaintenanceRoutes(scope, services)
    registerAlertRoutesRoutes(scope, services)
    registerRotasRoutes(scope, services)
    registerMonitoringRoutes(scope, services)
    registerAttentionRoutes(scope, services)
    registerTrackingRoutes(scope, services)
    registerTrackingContractRoutes(scope, services)
    registerIncidentRoutes(scope, services)
    registerInspectionRoutes(scope, services)
    registerReportRoutes(scope, services)
    registerViewRoutes(scope, services)
    registerSearchRoutes(scope, services)
    registerEventRoutes(scope, services)
  })
  await app.register(frontend, { folder: options.frontendFolder ?? builtFrontend })
  return app
}
