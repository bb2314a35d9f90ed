import type { IncomingMessage } from 'node:http'
import { message } from '@kustos/contract/messages'
import { createHostFilter } from '@kustos/domain/platform/hosts'
import { withoutPort } from '@kustos/domain/platform/network'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { createErrorBody } from './errors.ts'

/** Load balancers send any host, or none at all. */
const healthChecks: readonly (string | undefined)[] = ['/api/health', '/api/ready']

/**
 * The path of a request whose target is a whole URL, which names the host instead of the header (RFC 9112, section 3.2.2).
 * Proxies send such targets.
 */
export function rewriteAbsoluteTarget({ url = '/', headers }: IncomingMessage): string {
  const [, host, path = ''] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? []
  if (host === undefined) return url
  headers.host = host
  return path.startsWith('/') ? path : `/${path}`
}

/**
 * Removes the ports from the addresses in X-Forwarded-For, which some proxies add, such as Azure's: they differ with every
 * connection, and a proxy in front of another one would not be known as trusted.
 */
export function removeForwardedPorts({ headers }: IncomingMessage): void {
  const given = headers['x-forwarded-for']
  if (given === undefined) return
  headers['x-forwarded-for'] = String(given)
    .split(',')
    .map((address) => withoutPort(address.trim()))
    .join(', ')
}

/** Refuses requests for unknown hosts. @param hosts names beside `localhost` and addresses */
export const knownHosts = fp<{ hosts: readonly string[] }>((app: FastifyInstance, { hosts }, done) => {
  const isKnown = createHostFilter(hosts)
  app.addHook('onRequest', async (request, reply) => {
    const isAmbiguous = (request.raw.headersDistinct.host ?? []).length > 1
    if (!isAmbiguous && (healthChecks.includes(request.routeOptions.url) || isKnown(request.host))) return
    const sentence = isAmbiguous
      ? 'The request names more than one host.'
      : 'The host of the request is unknown: PUBLIC_URL or ALLOWED_HOSTS has to name it.'
    return reply.code(400).send(createErrorBody(message('bad_request'), sentence))
  })
  done()
})
