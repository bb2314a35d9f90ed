import { errorBody, errorTexts } from '@kustos/contract/errors'
import { type Access, can } from '@kustos/contract/permissions'
import {
  type AnswerSchema,
  file,
  noBody,
  type ParsedInput,
  type Route,
  type RouteAnswer,
  type Routes,
} from '@kustos/contract/route'
import { id, idParam } from '@kustos/contract/text'
import type { CurrentUser } from '@kustos/contract/users'
import type { OpenDatabase } from '@kustos/database/client'
import { type Context, contextOf } from '@kustos/domain/context'
import type { DeploymentTools } from '@kustos/domain/deployment'
import type { Events } from '@kustos/domain/events'
import type { Denials, RefusedSignIns } from '@kustos/domain/logs'
import type { MonitoringSettings } from '@kustos/domain/monitoring'
import type { Bitbucket } from '@kustos/domain/outside'
import { findCurrentUser } from '@kustos/domain/users'
import type { Exports } from '@kustos/domain/webs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { requireCsrfToken } from './csrf.ts'
import { spreadsheet } from './files.ts'
import { bodyLimitOf } from './limits.ts'

/** What every handler works with. */
export interface Services {
  readonly database: OpenDatabase
  readonly now: () => Date
  readonly exports: Exports
  /** Calls that were denied, for the audit log. */
  readonly denials: Denials
  /** Sign-ins that the limits refused, for the same. */
  readonly refusedSignIns: RefusedSignIns
  readonly deployments: DeploymentTools
  /** Null where no workspace is configured. */
  readonly bitbucket: Bitbucket | null
  readonly events: Events
  readonly monitoring: MonitoringSettings
}

/** A call: its context for the domain, and the HTTP around it for those who set headers and cookies. */
export interface Call {
  readonly context: Context
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Handlers may send large answers and files themselves. */
type Answered<R extends Route> = R['answer'] extends z.ZodType
  ? Promise<RouteAnswer<R> | FastifyReply>
  : R['answer'] extends typeof noBody
    ? Promise<void>
    : Promise<FastifyReply>

/** One handler for each route: a missing or a superfluous one does not compile. */
export type Handlers<Rs extends Routes> = {
  readonly [Name in keyof Rs]: (input: ParsedInput<Rs[Name]>, call: Call) => Answered<Rs[Name]>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in user, once a route that is not public has asked. */
    actor: CurrentUser | null
  }
}

/** Registers a feature's routes with their schemas, their permission and their place in the OpenAPI description. */
export function bind<Rs extends Routes>(
  app: FastifyInstance,
  services: Services,
  tag: string,
  routes: Rs,
  handlers: Handlers<Rs>,
): void {
  for (const name of Object.keys(routes)) {
    const route = routes[name]
    // Route and handler share a name, which is all that the loop needs; their types met in `Handlers`.
    const handler = handlers[name] as (input: object, call: Call) => Promise<unknown>
    if (!route) continue
    app.route({
      method: route.method,
      url: route.path,
      // The contract knows no HEAD, and an export's would make a file and a log entry for nothing.
      exposeHeadRoute: false,
      bodyLimit: bodyLimitOf(route),
      schema: schemaOf(route, name, tag),
      onRequest: [requireCsrfToken, requireAccess(services, route.access)],
      onSend: noteDenial(services, route),
      handler: async (request, reply) => {
        const { params, query, body } = request
        const context = contextFor(services, request)
        reply.code(route.status)
        const answer = await handler({ params, query, body }, { context, request, reply })
        return answer === undefined && !reply.sent ? reply.send() : answer
      },
    })
  }
}

const contextFor = ({ database, now }: Services, { actor, id }: FastifyRequest): Context =>
  contextOf(database, actor, now, id)

/** The id in a path: as text where the route denies, as a number where a verb does, after it was parsed. */
const subjectOf = z.object({ id: z.union([id, idParam]) })

/** Has a signed-in user's denied call in the log before it is answered, whoever denied it: the route or a verb. */
function noteDenial(services: Services, route: Route) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (reply.statusCode !== 403 || request.actor === null) return
    const about = subjectOf.safeParse(request.params).data
    const denial = { method: route.method, route: route.path, ...about }
    await services.denials
      .note(contextFor(services, request), denial)
      // Denied it stays, whether that can be written or not.
      .catch((error: unknown) =>
        request.log.error({ err: error }, 'a denied call is missing in the audit log'),
      )
  }
}

/** Loads the user as the database has them now, so that a changed role or a deletion bites at once. */
export function requireAccess({ database }: Services, access: Access) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    request.actor = null
    if (access === 'public') return
    const { userId } = request.session
    request.actor = userId === undefined ? null : await findCurrentUser(database.db, userId)
    if (request.actor === null) return reply.code(401).send({ message: errorTexts.unauthenticated })
    if (!can(request.actor, access)) return reply.code(403).send({ message: errorTexts.unauthorized })
  }
}

function schemaOf(route: Route, name: string, tag: string) {
  const failures = [
    ...(route.access === 'public' ? [] : [401]),
    ...(route.access === 'public' || route.access === 'signed-in' ? [] : [403]),
    ...(route.method === 'GET' ? [] : [419]),
    ...(route.body || route.query ? [422] : []),
    ...(route.errors ?? []),
  ]
  return {
    operationId: name,
    summary: route.summary,
    tags: [tag],
    security: securityOf(route),
    ...(route.answer === file && { produces: [spreadsheet] }),
    ...(route.params && { params: route.params }),
    ...(route.query && { querystring: route.query }),
    ...(route.body && { body: route.body }),
    response: {
      [route.status]: answerSchema(route.answer),
      ...Object.fromEntries(failures.map((status) => [status, errorBody])),
    },
  }
}

/** Which cookie and header a call needs, in OpenAPI's terms. */
function securityOf(route: Route): Record<string, string[]>[] {
  if (route.method !== 'GET') return [{ session: [], csrf: [] }]
  return route.access === 'public' ? [] : [{ session: [] }]
}

function answerSchema(answer: AnswerSchema): z.ZodType {
  if (answer === noBody) return z.undefined().describe('No body')
  if (answer === file) return z.unknown().describe('A file')
  return answer
}
