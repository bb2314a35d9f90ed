import { createHash } from 'node:crypto'
import swagger from '@fastify/swagger'
import { csrfHeader, sessionCookie } from '@kustos/contract/auth'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { requireAccess, type Services } from './contract.ts'
import { contentSecurityPolicy } from './security.ts'

/** The OpenAPI description, made from the contract's routes, and a page to read it; both for signed-in users. */
export const documentation = fp<{ services: Services }>(async (app: FastifyInstance, { services }) => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Kustos', version: '1', description: 'One console over every website an agency hosts.' },
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: sessionCookie },
          csrf: { type: 'apiKey', in: 'header', name: csrfHeader },
        },
      },
      security: [{ session: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  })
  await app.register(pages, { services })
})

async function pages(scope: FastifyInstance, { services }: { services: Services }): Promise<void> {
  scope.addHook('onRequest', requireAccess(services, 'signed-in'))
  scope.get('/api/openapi.json', { schema: { hide: true } }, async () => scope.swagger())
  scope.addHook('onSend', async (_, reply, payload) => {
    if (typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('text/html')) {
      reply.header('content-security-policy', contentSecurityPolicy(scriptHashes(payload)))
    }
    return payload
  })
  // Imported lazily: it holds 4 MB of script as a string.
  const { default: reference } = await import('@scalar/fastify-api-reference')
  await scope.register(reference, {
    routePrefix: '/api/docs',
    configuration: { url: '/api/openapi.json', withDefaultFonts: false },
  })
}

/** The reference page starts from an inline script, which its hash allows. */
function scriptHashes(html: string): string[] {
  return [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)]
    .filter(([, text]) => text?.trim())
    .map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
}
