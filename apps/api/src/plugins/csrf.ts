import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { csrfHeader } from '@kustos/contract/auth'
import { message } from '@kustos/contract/messages'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createErrorBody } from './errors.ts'

/** 256 bits in base64, whose '=' is sent as %3D, which clients of Sanctum decode. */
export const newCsrfToken = (): string => randomBytes(32).toString('base64')

/** The token of a visitor, derived from the session id and the secret since the session is not stored. */
export const visitorToken = (secret: string, sessionId: string): string =>
  createHmac('sha256', secret).update(`visitor's token: ${sessionId}`).digest('base64')

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/** Whether the request changes nothing, as its method says. */
export const isSafe = ({ method }: FastifyRequest): boolean => safeMethods.includes(method)

/** Rejects changes without the session's token in the header, before the body is read, so that 419 precedes 422. */
export async function requireCsrfToken(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  if (isSafe(request) || tokensMatch(request.headers[csrfHeader], request.session.csrf)) return
  return reply.code(419).send(createErrorBody(message('csrf_mismatch')))
}

function tokensMatch(sent: string | string[] | undefined, kept: string | undefined): boolean {
  if (typeof sent !== 'string' || kept === undefined) return false
  const a = Buffer.from(sent)
  const b = Buffer.from(kept)
  return a.length === b.length && timingSafeEqual(a, b)
}
