import { type ErrorBody, summarise } from '@kustos/contract/errors'
import { type Message, message, readIssue } from '@kustos/contract/messages'
import { englishText } from '@kustos/contract/messages/english'
import { inputMessage } from '@kustos/contract/messages/input-message'
import { isContention, isDatabaseDown, isDiskFull, isOutOfConnections } from '@kustos/database/client'
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
  // As Laravel's `password.confirm`.
  unconfirmed: 423,
  'too-many': 429,
  upstream: 502,
  unavailable: 503,
}

/** Turns errors into responses; the only place that knows both. */
export const errors = fp((app: FastifyInstance, _, done) => {
  app.setErrorHandler<FastifyError>((error, request, reply) => sendError(error, request, reply))
  app.decorateReply('notFound', function notFound(this: FastifyReply) {
    return this.code(404).send(createErrorBody(message('not_found')))
  })
  done()
})

declare module 'fastify' {
  interface FastifyReply {
    notFound(): FastifyReply
  }
}

/** An error's body. @param sentence where it differs from the message's English text */
export const createErrorBody = (codedMessage: Message, sentence = englishText(codedMessage)): ErrorBody => ({
  message: sentence,
  ...codedMessage,
})

/** Parses a request by the contract's schemas. */
export const parseInput: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (input) => {
    const { error, data: value } = schema.safeParse(input, { error: inputMessage })
    return error === undefined ? { value } : { error }
  }

/** Failures that a retry after some seconds may overcome, and their lines in the log. */
const databaseFailures = [
  [isDatabaseDown, 'database_unavailable', 1, 'warn', 'the database is unavailable'],
  [isOutOfConnections, 'database_busy', 5, 'warn', 'no connection to the database is free'],
  [isDiskFull, 'database_full', 60, 'error', 'the disk of the database is full'],
  [isContention, 'database_busy', 5, 'warn', 'the database was busy'],
] as const

/** Sends an error. Unexpected ones are logged, and sent without details. */
export function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof DomainError) return sendDomainError(error, reply)
  if (error instanceof z.ZodError && error.validationContext !== undefined) {
    // Nothing has an id that cannot be parsed.
    if (error.validationContext === 'params') return reply.notFound()
    return sendInvalid(fieldErrors(error.issues), reply)
  }
  // The client has gone before it sent the whole request. Its connection fails with the same codes as one to the database.
  if (error === request.raw.errored) return reply.hijack()
  const failure = databaseFailures.find(([matches]) => matches(error))
  if (failure !== undefined) {
    const [, code, retryAfterSeconds, level, line] = failure
    request.log[level]({ err: error }, line)
    return reply
      .code(503)
      .header('retry-after', String(retryAfterSeconds))
      .send(createErrorBody(message(code)))
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return reply.code(error.statusCode).send(createErrorBody(message('bad_request'), error.message))
  }
  // The client has gone, which has ended the work for it (`signalOf`).
  if (reply.raw.destroyed && error.name === 'AbortError') return reply.hijack()
  request.log.error({ err: error }, 'request failed')
  return reply.code(500).send({ ...createErrorBody(message('server_error')), requestId: request.id })
}

function sendDomainError(
  { kind, codedMessage, message: sentence, details }: DomainError,
  reply: FastifyReply,
) {
  const { errors, isAlert = false, retryAfterSeconds } = details
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  if (kind === 'forbidden') {
    const unauthorized = message('unauthorized')
    return reply.code(statuses.forbidden).send({
      ...createErrorBody(isAlert ? codedMessage : unauthorized, englishText(unauthorized)),
      ...(isAlert && { error: sentence }),
      ...(errors && createFieldErrors(errors)),
    })
  }
  if (errors) return sendInvalid(errors, reply, isAlert ? codedMessage : undefined)
  // Errors that staff can act on are repeated under `error`, where the former frontend looks for them.
  return reply.code(statuses[kind]).send({
    ...createErrorBody(codedMessage),
    ...(['conflict', 'invalid', 'upstream'].includes(kind) && { error: sentence }),
  })
}

type FieldErrors = Readonly<Record<string, readonly Message[]>>

const createFieldErrors = (errors: FieldErrors) => ({
  errors: Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => [field, messages.map(englishText)]),
  ),
  error_codes: errors,
})

function sendInvalid(errors: FieldErrors, reply: FastifyReply, alert?: Message): FastifyReply {
  const fields = createFieldErrors(errors)
  return reply.code(422).send({
    ...createErrorBody(alert ?? message('invalid_input'), summarise(fields.errors)),
    ...fields,
    ...(alert && { error: englishText(alert) }),
  })
}

/** A 256 KiB body can contain 100,000 errors; the response would be twenty times its size. */
const maxFieldErrors = 100

/** Messages by field. List items use Laravel's dot notation (`roles.0`). */
function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors: Record<string, Message[]> = Object.create(null)
  for (const { path, message: text } of issues.slice(0, maxFieldErrors)) {
    const fieldMessage = readIssue(text) ?? message('invalid')
    const field = path.join('.') || 'body'
    errors[field] = [...(errors[field] ?? []), fieldMessage]
  }
  return errors
}
