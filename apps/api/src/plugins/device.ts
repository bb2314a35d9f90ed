import { createHmac, randomUUID } from 'node:crypto'
import { deviceCookie } from '@kustos/contract/auth'
import type { Device, Visitor } from '@kustos/domain/auth'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The longest that browsers keep a cookie (RFC 6265bis, 5.5). */
const maxAgeSeconds = 400 * 24 * 3600
/** The users that a device remembers, the last first. */
const maxUsers = 8

/** The key of the signature, other than that of sessions, so that neither cookie passes for the other. */
export const deviceKey = (secret: string): string =>
  createHmac('sha256', secret).update('device cookies').digest('base64')

/** The browser's device cookie, such as `6f1d….3-17` and its signature; null if it has none or an altered one. */
function readDevice(request: FastifyRequest): Device | null {
  const { valid, value } = request.unsignCookie(request.cookies[deviceCookie] ?? '')
  if (!valid) return null
  const [id = '', userIds = ''] = value.split('.')
  return { id, userIds: userIds.split('-').map(Number) }
}

export const visitorOf = (request: FastifyRequest): Visitor => ({
  address: request.ip,
  device: readDevice(request),
  userAgent: request.headers['user-agent'],
})

/** Notes in the browser that a user has signed in there. The same users keep the same id. */
export function rememberDevice(request: FastifyRequest, reply: FastifyReply, userId: number): void {
  const { id = randomUUID(), userIds = [] } = readDevice(request) ?? {}
  const users = [userId, ...userIds.filter((known) => known !== userId)].slice(0, maxUsers)
  reply.setCookie(deviceCookie, `${id}.${users.join('-')}`, {
    signed: true,
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: request.session.cookie.secure === true,
    maxAge: maxAgeSeconds,
  })
}
