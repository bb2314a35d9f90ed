import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'

const directives: Readonly<Record<string, readonly string[]>> = {
  'default-src': ["'self'"],
  'script-src': ["'self'"],
  // Mantine writes its theme into style elements and style attributes.
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
}

/** @param scripts what a single page may run beyond the files of this origin, as hashes */
export const contentSecurityPolicy = (scripts: readonly string[] = []): string =>
  Object.entries(directives)
    .map(([name, sources]) => [name, ...sources, ...(name === 'script-src' ? scripts : [])].join(' '))
    .join('; ')

const policy = contentSecurityPolicy()

/** What helmet does not set as we want it. */
export function setSecurityHeaders(reply: FastifyReply): void {
  reply.header('content-security-policy', policy)
  reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()')
  reply.header('x-content-type-options', 'nosniff')
  // Answers are somebody's own unless they say otherwise, as the lists with validators and the frontend's files do.
  reply.header('cache-control', 'private, no-store')
}

/** Headers that keep browsers from doing what no page of Kustos needs. */
export const security = fp(async (app: FastifyInstance) => {
  await app.register(helmet, {
    contentSecurityPolicy: false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'same-origin' },
  })
  app.addHook('onRequest', async (_, reply) => setSecurityHeaders(reply))
})
