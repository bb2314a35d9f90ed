import { authRoutes } from '@kustos/contract/auth'
import type { DnsType } from '@kustos/contract/domains'
import { errorBody } from '@kustos/contract/errors'
import { message } from '@kustos/contract/messages'
import { type Access, can } from '@kustos/contract/permissions'
import {
  type Confirmation,
  confirmationMinutes,
  file,
  noBody,
  type ParsedInput,
  type ResponseSchema,
  type Route,
  type RouteResponse,
  type Routes,
} from '@kustos/contract/route'
import { id, idParam } from '@kustos/contract/text'
import type { CurrentUser } from '@kustos/contract/users'
import type { OpenDatabase, Transaction } from '@kustos/database/client'
import type { DeploymentTools } from '@kustos/domain/deployment'
import type { DenialLog } from '@kustos/domain/logs'
import type { MonitoringSettings } from '@kustos/domain/monitoring'
import { type Context, createContext } from '@kustos/domain/platform/context'
import type { Events } from '@kustos/domain/platform/events'
import type { MailOutbox } from '@kustos/domain/platform/mail'
import type { SecretBox } from '@kustos/domain/platform/secret-box'
import type { ReportSigner } from '@kustos/domain/reports'
import type { Bitbucket } from '@kustos/domain/services'
import {
  assertConfirmedSession,
  findUserWithPermissions,
  lockPermissionsOf,
  lockSession,
  readSessionUser,
} from '@kustos/domain/users'
import type { Exports } from '@kustos/domain/webs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { requireCsrfToken } from './csrf.ts'
import { createErrorBody } from './errors.ts'
import { spreadsheet } from './files.ts'
import { getBodyLimit } from './limits.ts'
import { runInSpan } from './tracing.ts'

/** The services of the handlers. */
export interface Services {
  readonly database: OpenDatabase
  readonly now: () => Date
  readonly exports: Exports
  readonly denials: DenialLog
  readonly deployments: DeploymentTools
  /** Null if not configured. */
  readonly bitbucket: Bitbucket | null
  readonly events: Events
  /** Missing if no mail server is configured. */
  readonly mail?: MailOutbox | undefined
  readonly monitoring: MonitoringSettings
  /** Types of DNS records whose changes are alerted. */
  readonly dnsAlertTypes: readonly DnsType[]
  /** Null if no key for stored secrets is configured. */
  readonly secretBox: SecretBox | null
  /** Null if no key for reports is configured. */
  readonly reportSigner: ReportSigner | null
}

/** A request: its context for the domain, and the HTTP objects for headers and cookies. */
export interface Call {
  readonly context: Context
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Handlers may send large responses and files themselves. */
type Handled<R extends Route> = R['response'] extends z.ZodType
  ? Promise<RouteResponse<R> | FastifyReply>
  : R['response'] extends typeof noBody
    ? Promise<void>
    : Promise<FastifyReply>

/** One handler for each route. A missing or unknown one does not compile. */
export type Handlers<Rs extends Routes> = {
  readonly [Name in keyof Rs]: (input: ParsedInput<Rs[Name]>, call: Call) => Handled<Rs[Name]>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in user on routes that are not public. */
    actor: CurrentUser | null
  }
}

/** Registers the routes of a feature with their schemas, permissions and OpenAPI description. */
export function bind<Rs extends Routes>(
  app: FastifyInstance,
  services: Services,
  tag: string,
  routes: Rs,
  handlers: Handlers<Rs>,
): void {
  for (const name of Object.keys(routes)) {
    const route = routes[name]
    // `Handlers` ensures that the types of route and handler match.
    const handler = handlers[name] as (input: object, call: Call) => Promise<unknown>
    if (!route) continue
    app.route({
      method: route.method,
      url: route.path,
      // The contract has no HEAD, which would create a file and a log entry for an export.
      exposeHeadRoute: false,
      bodyLimit: getBodyLimit(route),
      schema: schemaOf(route, name, tag),
      onRequest: [requireCsrfToken, requireAccess(services, route.access)],
      // A body can take half a minute to arrive.
      preValidation: route.method === 'GET' ? [] : [checkActorAgain(services, route)],
      onSend: noteDenial(services, route),
      handler: async (request, reply) => {
        const { params, query, body } = request
        const context = {
          ...contextFor(services, request),
          ...(request.actor && actorChecks(services, route, request, request.actor)),
        }
        reply.code(route.status)
        const response = await runInSpan(request, () =>
          handler({ params, query, body }, { context, request, reply }),
        )
        // A reply that the handler has sent becomes undefined, also if its client left before the end.
        return route.response === noBody && !reply.sent ? reply.send() : response
      },
    })
  }
}

const contextFor = ({ database, now, mail }: Services, { actor, id }: FastifyRequest): Context => ({
  ...createContext(database, actor, now, id),
  mail,
})

/** The id of the path: a text before and a number after it was parsed. */
const subjectOf = z.object({ id: z.union([id, idParam]) })

/** Logs a request that the route or the domain has denied to a signed-in user, before the response is sent. */
function noteDenial(services: Services, route: Route) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (reply.statusCode !== 403 || request.actor === null) return
    const about = subjectOf.safeParse(request.params).data
    const denial = { method: route.method, route: route.path, ...about }
    await services.denials
      .record(contextFor(services, request), denial)
      // The request is denied even if it cannot be logged.
      .catch((error: unknown) =>
        request.log.error({ err: error }, 'a denied call is missing from the audit log'),
      )
  }
}

/** Loads the current state of the user, so that a changed role or a deletion takes effect at once. */
export function requireAccess({ database }: Services, access: Access) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    request.actor = null
    if (access === 'public') return
    const { userId } = request.session
    request.actor = userId === undefined ? null : await findUserWithPermissions(database.db, userId)
    if (request.actor === null) return reply.code(401).send(createErrorBody(message('unauthenticated')))
    if (!can(request.actor, access)) return reply.code(403).send(createErrorBody(message('unauthorized')))
  }
}

function checkActorAgain(services: Services, route: Route) {
  return async (request: FastifyRequest): Promise<void> => {
    const { actor } = request
    if (actor !== null)
      request.actor = await actorChecks(services, route, request, actor).readActor(services.database.db)
  }
}

/** Returns the checks that a change makes in its transaction. */
function actorChecks({ now }: Services, route: Route, { session }: FastifyRequest, { id }: CurrentUser) {
  const request = { sessionId: session.sessionId, userId: id }
  return {
    readActor: (db: Transaction) => readSessionUser({ db, now }, request, route),
    // Without a permission that the route needs, there is nothing to lose.
    ...(route.access !== 'signed-in' && {
      lockActorPermissions: (db: Transaction, user: CurrentUser) => lockPermissionsOf({ db }, user),
    }),
    lockSession: (db: Transaction) => lockSession({ db, now }, request),
    assertConfirmed: (db: Transaction) => assertConfirmedSession({ db, now }, request),
  }
}

const notConfirmed = `the password was not entered in the last ${confirmationMinutes} minutes (${authRoutes.confirmPassword.path})`
const unconfirmedBody: Readonly<Record<Confirmation, z.ZodType>> = {
  required: errorBody.describe(`Refused: ${notConfirmed}`),
  conditional: errorBody.describe(`Refused: this change is sensitive, and ${notConfirmed}`),
}

/** The parameters of a route's path; by default an id. */
function paramsOf({ path, params }: Route): { params?: z.ZodObject } {
  if (params !== undefined) return { params }
  return path.includes('/:id') ? { params: z.object({ id: idParam }) } : {}
}

function schemaOf(route: Route, name: string, tag: string) {
  const failures = [
    ...(route.access === 'public' ? [] : [401]),
    ...(route.access === 'public' || route.access === 'signed-in' ? [] : [403]),
    ...(route.method === 'GET' ? [] : [419]),
    ...(/\/:\w/.test(route.path) ? [404] : []),
    ...(route.body || route.query ? [422] : []),
    ...(route.errors ?? []),
  ]
  return {
    operationId: name,
    summary: route.summary,
    tags: [tag],
    security: securityOf(route),
    ...(route.response === file && { produces: [route.fileType ?? spreadsheet] }),
    ...paramsOf(route),
    ...(route.query && { querystring: route.query }),
    ...(route.body && { body: route.body }),
    response: {
      [route.status]: responseSchema(route.response),
      ...(route.isConditional && { 304: z.undefined().describe('The list has the ETag of If-None-Match') }),
      ...Object.fromEntries(failures.map((status) => [status, errorBody])),
      ...(route.confirmation && { 423: unconfirmedBody[route.confirmation] }),
    },
  }
}

/** The cookie and header that a request needs, for OpenAPI. */
function securityOf(route: Route): Record<string, string[]>[] {
  if (route.method !== 'GET') return [{ session: [], csrf: [] }]
  return route.access === 'public' ? [] : [{ session: [] }]
}

function responseSchema(response: ResponseSchema): z.ZodType {
  if (response === noBody) return z.undefined().describe('No body')
  if (response === file) return z.unknown().describe('A file')
  return response
}
