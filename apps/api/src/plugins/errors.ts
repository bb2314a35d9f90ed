import { errorTexts, summarise } from '@kustos/contract/errors'
import { inputSentence } from '@kustos/contract/input-sentences'
import { isDatabaseDown, isDiskFull, isInTheWay } from '@kustos/database/client'
import { DomainError, type DomainErrorCode } from '@kustos/domain/errors'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { z } from 'zod'

// What a schema does not say itself would leave in the library's words.
z.config({ customError: inputSentence })

const statuses: Readonly<Record<DomainErrorCode, number>> = {
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
    return this.code(404).send({ message: errorTexts.notFound })
  })
  done()
})

declare module 'fastify' {
  interface FastifyReply {
    notFound(): FastifyReply
  }
}

/** Any error as its answer; those that nobody expected are logged, and leave without detail. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof DomainError) return answerDomainError(error, reply)
  if (hasZodFastifySchemaValidationErrors(error)) {
    // A path that no id can stand in names nothing that exists.
    if (error.validationContext === 'params') return reply.notFound()
    return answerInvalid(fieldErrors(error.validation), reply)
  }
  if (isDatabaseDown(error)) {
    request.log.warn({ err: error }, 'the database is away')
    return reply
      .code(503)
      .header('retry-after', '1')
      .send({ message: 'The database is away for a moment. Try again.' })
  }
  if (isDiskFull(error)) {
    request.log.error({ err: error }, 'the disk of the database is full')
    return reply
      .code(503)
      .header('retry-after', '60')
      .send({ message: 'Nothing was saved: the disk of the database is full. Tell whoever runs Kustos.' })
  }
  if (isInTheWay(error)) {
    request.log.warn({ err: error }, 'the database was busy')
    return reply
      .code(503)
      .header('retry-after', '5')
      .send({ message: 'The database is busy with something else: nothing was done. Try again in a moment.' })
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return reply.code(error.statusCode).send({ message: error.message })
  }
  request.log.error({ err: error }, 'request failed')
  return reply.code(500).send({ message: errorTexts.serverError, requestId: request.id })
}

function answerDomainError({ code, message, details }: DomainError, reply: FastifyReply): FastifyReply {
  const { errors, isAlert = false, retryAfter } = details
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  if (code === 'forbidden') {
    return reply.code(statuses.forbidden).send({
      message: errorTexts.unauthorized,
      ...(isAlert && { error: message }),
      ...(errors && { errors }),
    })
  }
  if (errors) return answerInvalid(errors, reply, isAlert ? message : undefined)
  // What staff can act on stands under `error` too, where the former frontend looks for it.
  return reply
    .code(statuses[code])
    .send({ message, ...(['conflict', 'invalid', 'upstream'].includes(code) && { error: message }) })
}

const answerInvalid = (
  errors: Readonly<Record<string, readonly string[]>>,
  reply: FastifyReply,
  error?: string,
): FastifyReply =>
  reply.code(422).send({ message: summarise(errors), errors, ...(error !== undefined && { error }) })

/** Of one request's faults. A body of 256 KiB can hold a hundred thousand, and its answer would be twenty times as large. */
const mostFaults = 100

/** Field to messages, fields of lists with dots as Laravel names them: roles.0 */
function fieldErrors(
  issues: readonly { instancePath: string; message?: string }[],
): Record<string, string[]> {
  const errors: Record<string, string[]> = Object.create(null)
  for (const { instancePath, message } of issues.slice(0, mostFaults)) {
    const field = instancePath.slice(1).replaceAll('/', '.') || 'body'
    const messages = errors[field] ?? []
    errors[field] = [...messages, message ?? 'Is not valid']
  }
  return errors
}
