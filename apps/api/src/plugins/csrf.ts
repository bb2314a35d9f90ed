import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { csrfHeader } from '@kustos/contract/auth'
import { errorTexts } from '@kustos/contract/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** 256 bits in base64: its '=' arrives as %3D, which clients of Sanctum decode. */
export const newCsrfToken = (): string => randomBytes(32).toString('base64')

/** The token of a visitor, whose session nobody keeps: it follows from the session's id, and without the secret from nothing. */
export const visitorToken = (secret: string, sessionId: string): string =>
  createHmac('sha256', secret).update(`visitor's token: ${sessionId}`).digest('base64')

const safe: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/** Refuses a change whose header does not repeat the session's token. Before the body is read, so that 419 precedes 422. */
export async function requireCsrfToken(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  if (safe.includes(request.method) || repeats(request.headers[csrfHeader], request.session.csrf)) return
  return reply.code(419).send({ message: errorTexts.csrf })
}

function repeats(sent: string | string[] | undefined, kept: string | undefined): boolean {
  if (typeof sent !== 'string' || kept === undefined) return false
  const a = Buffer.from(sent)
  const b = Buffer.from(kept)
  return a.length === b.length && timingSafeEqual(a, b)
}
