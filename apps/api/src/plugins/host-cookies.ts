import { deviceCookie, sessionCookie } from '@kustos/contract/auth'
import type { FastifyInstance } from 'fastify'

/**
 * Browsers accept a cookie with this prefix from its own host over HTTPS only (RFC 6265bis, section 4.1.3.2), so that no other
 * host of the domain can plant one. Without HTTPS they would accept none.
 */
const prefix = '__Host-'
const names = [sessionCookie, deviceCookie]

/** Reads the prefixed cookies of requests over HTTPS under their plain names. Register it before what reads them. */
export function readHostCookies(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _, next) => {
    if (request.protocol === 'https') {
      const { [sessionCookie]: _planted, ...others } = request.cookies
      const prefixed = names.flatMap((name) => {
        const value = request.cookies[prefix + name]
        return value === undefined ? [] : [[name, value]]
      })
      // A device of the time before the prefix stays known: its cookie is signed and says nothing of others.
      request.cookies = { ...others, ...Object.fromEntries(prefixed) }
    }
    next()
  })
}

/** Adds the prefix in responses over HTTPS. Register it after what sets the cookies. */
export function sendHostCookies(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, next) => {
    const cookies = [reply.getHeader('set-cookie') ?? []].flat().map(String)
    if (request.protocol === 'https' && cookies.length > 0)
      reply.removeHeader('set-cookie').header('set-cookie', cookies.map(addPrefix))
    next(null, payload)
  })
}

function addPrefix(cookie: string): string {
  if (!names.some((name) => cookie.startsWith(`${name}=`))) return cookie
  // Browsers ignore a removal that is not Secure.
  return prefix + cookie + (/; *Secure(;|$)/i.test(cookie) ? '' : '; Secure')
}
