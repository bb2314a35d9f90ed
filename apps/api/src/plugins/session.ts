import cookie from '@fastify/cookie'
import session from '@fastify/session'
import { csrfCookie, sessionCookie } from '@kustos/contract/auth'
import type { OpenDatabase } from '@kustos/database/client'
import { endSession, findSession, keepSession, rememberedFor, type SessionData } from '@kustos/domain/auth'
import type { FastifyInstance, FastifyReply, FastifyRequest, Session } from 'fastify'
import fp from 'fastify-plugin'
import { newCsrfToken } from './csrf.ts'

declare module 'fastify' {
  interface Session {
    userId?: number
    csrf?: string
  }
}

export interface SessionOptions {
  readonly database: OpenDatabase
  readonly secret: string
  readonly now: () => Date
}

/** Signed session cookies, with the sessions in Postgres. */
export const sessions = fp<SessionOptions>(async (app: FastifyInstance, { database, secret, now }) => {
  const { db } = database
  await app.register(cookie)
  await app.register(session, {
    secret,
    cookieName: sessionCookie,
    // 'auto': Secure behind HTTPS, as TRUST_PROXY lets the proxy say.
    cookie: { secure: 'auto', sameSite: 'lax', httpOnly: true, path: '/' },
    saveUninitialized: false,
    // The domain keeps idle sessions alive; a request that did not change its session writes none, and so cannot bring
    // back one that was ended meanwhile.
    rolling: false,
    store: {
      get: (id, callback) =>
        settle(findSession(db, id, now()), (error, found) => callback(error, found ? restored(found) : null)),
      set: (id, held, callback) => settle(keepSession(db, id, kept(held), now()), callback),
      destroy: (id, callback) => settle(endSession(db, id), callback),
    },
  })
})

function settle<T>(work: Promise<T>, callback: (error: unknown, result?: T | undefined) => void): void {
  work.then(
    (result) => callback(null, result),
    (error: unknown) => callback(error),
  )
}

/** As `kept` wrote it: JSON of the cookie's options, which @fastify/session reads back, dates as text included. */
const restored = ({ userId, csrf, cookie }: SessionData): Session => ({
  ...(typeof userId === 'number' && { userId }),
  ...(typeof csrf === 'string' && { csrf }),
  cookie: cookie as Session['cookie'],
})

const kept = (held: Session) => ({
  userId: held.userId ?? null,
  remembered: held.cookie.originalMaxAge != null,
  data: { userId: held.userId, csrf: held.csrf, cookie: held.cookie },
})

/** Gives a session that has no token one, and sets the cookie that the frontend reads it from. */
export function issueCsrfToken(request: FastifyRequest, reply: FastifyReply): void {
  request.session.csrf ??= newCsrfToken()
  const { maxAge, secure } = request.session.cookie
  reply.setCookie(csrfCookie, request.session.csrf, {
    path: '/',
    sameSite: 'lax',
    secure: secure === true,
    httpOnly: false,
    encode: encodeURIComponent,
    ...(maxAge != null && { maxAge: Math.floor(maxAge / 1000) }),
  })
}

/** Puts the user into a session with a new id, so that an id planted before the sign-in is worth nothing. */
export async function startSession(
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
  remember: boolean,
): Promise<void> {
  await request.session.regenerate()
  // A new session takes its cookie's options from the one before, which may have been remembered.
  if (remember) request.session.options({ maxAge: rememberedFor })
  else Object.assign(request.session.cookie, { originalMaxAge: null, expires: null })
  request.session.userId = userId
  issueCsrfToken(request, reply)
}

/** Ends the session here and in the browser. */
export async function stopSession(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await request.session.destroy()
  reply.clearCookie(sessionCookie, { path: '/' })
  reply.clearCookie(csrfCookie, { path: '/' })
}
