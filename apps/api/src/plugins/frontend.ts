import { existsSync } from 'node:fs'
import { join } from 'node:path'
import files from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

const yearSeconds = 365 * 24 * 3600

/**
 * Serves the built frontend. Files under /assets have a hash in their name and are cached forever. Every other path that
 * a browser navigates to gets index.html for the router of the frontend.
 */
export const frontend = fp<{ folder: string }>(async (app: FastifyInstance, { folder }) => {
  const isBuilt = existsSync(join(folder, 'index.html'))
  if (isBuilt) {
    await app.register(files, {
      root: folder,
      wildcard: false,
      index: false,
      preCompressed: true,
      schemaHide: true,
      setHeaders(reply, path) {
        const isImmutable = path.startsWith(join(folder, 'assets'))
        reply.header('cache-control', isImmutable ? `public, max-age=${yearSeconds}, immutable` : 'no-cache')
      },
    })
  } else {
    app.log.warn({ folder }, 'there is no built frontend to serve')
  }
  app.setNotFoundHandler((request, reply) => {
    const isPageRequest = request.method === 'GET' || request.method === 'HEAD'
    const isApiPath = /^\/(api|sanctum|assets)\b/i.test(request.url)
    if (!isBuilt || !isPageRequest || isApiPath) return reply.notFound()
    return reply.header('cache-control', 'no-cache').sendFile('index.html')
  })
})
