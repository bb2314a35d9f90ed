import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'

const directives: Readonly<Record<string, readonly string[]>> = {
  'default-src': ["'self'"],
  'script-src': ["'self'"],
  // Mantine uses style elements and attributes.
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
}

/** @param scripts hashes of the inline scripts that a page may run */
export const contentSecurityPolicy = (scripts: readonly string[] = []): string =>
  Object.entries(directives)
    .map(([name, sources]) => [name, ...sources, ...(name === 'script-src' ? scripts : [])].join(' '))
    .join('; ')

const policy = contentSecurityPolicy()

/** Deviations from the defaults of helmet. */
export function setSecurityHeaders(reply: FastifyReply): void {
  reply.header('content-security-policy', policy)
  reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()')
  reply.header('x-content-type-options', 'nosniff')
  // Responses are private unless a route sets another header, such as lists with validators and the frontend's files.
  reply.header('cache-control', 'private, no-store')
}

/** Headers that disable features of browsers that Kustos does not need. */
export const security = fp(async (app: FastifyInstance) => {
  await app.register(helmet, {
    contentSecurityPolicy: false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'same-origin' },
  })
  app.addHook('onRequest', async (_, reply) => setSecurityHeaders(reply))
})
