import { type ErrorBody, summarise } from '@kustos/contract/errors'
import { type Message, message, readIssue } from '@kustos/contract/messages'
import { englishText } from '@kustos/contract/messages/english'
import { inputMessage } from '@kustos/contract/messages/input-message'
import { isContention, isDatabaseDown, isDiskFull } from '@kustos/database/client'
import { DomainError, type DomainErrorKind } from '@kustos/domain/platform/errors'
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchemaCompiler,
} from 'fastify'
import fp from 'fastify-plugin'
import { z } from 'zod'

const statuses: Readonly<Record<DomainErrorKind, number>> = {
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  invalid: 422,
  'too-many': 429,
  upstream: 502,
  away: 503,
}

/** Turns what is thrown into answers; the only place that knows both. */
export const errors = fp((app: FastifyInstance, _, done) => {
  app.setErrorHandler<FastifyError>((error, request, reply) => answerError(error, request, reply))
  app.decorateReply('notFound', function notFound(this: FastifyReply) {
    return this.code(404).send(errorAnswer(message('not_found')))
  })
  done()
})

declare module 'fastify' {
  interface FastifyReply {
    notFound(): FastifyReply
  }
}

/** An error's body. @param sentence where it differs from the message's English text */
export const errorAnswer = (said: Message, sentence = englishText(said)): ErrorBody => ({
  message: sentence,
  ...said,
})

/** Parses a request by the contract's schemas. */
export const parseInput: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (input) => {
    const { error, data: value } = schema.safeParse(input, { error: inputMessage })
    return error === undefined ? { value } : { error }
  }

/** Any error as its answer; those that nobody expected are logged, and leave without detail. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof DomainError) return answerDomainError(error, reply)
  if (error instanceof z.ZodError && error.validationContext !== undefined) {
    // A path that no id can stand in names nothing that exists.
    if (error.validationContext === 'params') return reply.notFound()
    return answerInvalid(fieldErrors(error.issues), reply)
  }
  if (isDatabaseDown(error)) {
    request.log.warn({ err: error }, 'the database is away')
    return answerAway(message('database_unavailable'), 1, reply)
  }
  if (isDiskFull(error)) {
    request.log.error({ err: error }, 'the disk of the database is full')
    return answerAway(message('database_full'), 60, reply)
  }
  if (isContention(error)) {
    request.log.warn({ err: error }, 'the database was busy')
    return answerAway(message('database_busy'), 5, reply)
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return reply.code(error.statusCode).send(errorAnswer(message('bad_request'), error.message))
  }
  request.log.error({ err: error }, 'request failed')
  return reply.code(500).send({ ...errorAnswer(message('server_error')), requestId: request.id })
}

const answerAway = (said: Message, retryAfterSeconds: number, reply: FastifyReply): FastifyReply =>
  reply.code(503).header('retry-after', String(retryAfterSeconds)).send(errorAnswer(said))

function answerDomainError({ kind, said, message: sentence, details }: DomainError, reply: FastifyReply) {
  const { errors, isAlert = false, retryAfterSeconds } = details
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  if (kind === 'forbidden') {
    const unauthorized = message('unauthorized')
    return reply.code(statuses.forbidden).send({
      ...errorAnswer(isAlert ? said : unauthorized, englishText(unauthorized)),
      ...(isAlert && { error: sentence }),
      ...(errors && fieldAnswer(errors)),
    })
  }
  if (errors) return answerInvalid(errors, reply, isAlert ? said : undefined)
  // What staff can act on stands under `error` too, where the former frontend looks for it.
  return reply.code(statuses[kind]).send({
    ...errorAnswer(said),
    ...(['conflict', 'invalid', 'upstream'].includes(kind) && { error: sentence }),
  })
}

type FieldErrors = Readonly<Record<string, readonly Message[]>>

const fieldAnswer = (errors: FieldErrors) => ({
  errors: Object.fromEntries(Object.entries(errors).map(([field, said]) => [field, said.map(englishText)])),
  error_codes: errors,
})

function answerInvalid(errors: FieldErrors, reply: FastifyReply, alert?: Message): FastifyReply {
  const fields = fieldAnswer(errors)
  return reply.code(422).send({
    ...errorAnswer(alert ?? message('invalid_input'), summarise(fields.errors)),
    ...fields,
    ...(alert && { error: englishText(alert) }),
  })
}

/** Of one request's faults. A body of 256 KiB can hold a hundred thousand, and its answer would be twenty times as large. */
const mostFaults = 100

/** Field to messages, fields of lists with dots as Laravel names them: roles.0 */
function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors: Record<string, Message[]> = Object.create(null)
  for (const { path, message: text } of issues.slice(0, mostFaults)) {
    const said = readIssue(text) ?? message('invalid')
    const field = path.join('.') || 'body'
    errors[field] = [...(errors[field] ?? []), said]
  }
  return errors
}
