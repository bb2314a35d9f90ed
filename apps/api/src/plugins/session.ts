import cookie from '@fastify/cookie'
import session from '@fastify/session'
import { csrfCookie, sessionCookie, unattendedHeader } from '@kustos/contract/auth'
import { eventsPath } from '@kustos/contract/events'
import type { OpenDatabase } from '@kustos/database/client'
import {
  endSession,
  type FoundSession,
  findSession,
  keepSession,
  noteUse,
  rememberedSessionMs,
  type SessionClient,
} from '@kustos/domain/auth'
import type { FastifyInstance, FastifyReply, FastifyRequest, Session } from 'fastify'
import fp from 'fastify-plugin'
import { isSafe, newCsrfToken, visitorToken } from './csrf.ts'
import { deviceKey } from './device.ts'
import { readHostCookies, sendHostCookies } from './host-cookies.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The CSRF token of a visitor's session. */
    visitorToken(sessionId: string): string
  }
  interface Session {
    userId?: number
    csrf?: string
    /** Set for a session that was found. */
    lastUse?: Pick<FoundSession, 'lastSeenAt' | 'lastClient'>
  }
}

export interface SessionOptions {
  readonly database: OpenDatabase
  readonly secret: string
  readonly now: () => Date
}

/**
 * Signed session cookies. Sessions are stored in Postgres after the sign-in. A visitor's session exists in its cookie only:
 * a signed id, from which the token is derived, so requesting many cookies fills no table.
 */
export const sessions = fp<SessionOptions>(async (app: FastifyInstance, { database, secret, now }) => {
  const { db } = database
  app.decorate('visitorToken', (sessionId) => visitorToken(secret, sessionId))
  await app.register(cookie, { secret: deviceKey(secret) })
  readHostCookies(app)
  await app.register(session, {
    secret,
    cookieName: sessionCookie,
    // 'auto': Secure behind HTTPS, which trusted proxies report.
    cookie: { secure: 'auto', sameSite: 'lax', httpOnly: true, path: '/' },
    saveUninitialized: false,
    // The domain extends sessions. A request that has not changed its session does not write it, so it cannot restore
    // a session that has since been ended.
    rolling: false,
    store: {
      get: (id, callback) =>
        callBack(findSession(db, id, now()), (error, found) =>
          callback(error, found ? restored(found) : visiting(app.visitorToken(id))),
        ),
      set: (id, held, callback) => {
        const { userId } = held
        const isKept = userId !== undefined && !opening.has(held)
        callBack(isKept ? keepSession(db, id, kept(held, userId), now()) : Promise.resolve(), callback)
      },
      destroy: (id, callback) => callBack(endSession(db, id), callback),
    },
  })
  sendHostCookies(app)
  app.addHook('onRequest', async (request) => {
    const { lastUse, sessionId } = request.session
    const client = rememberClient(request)
    // Browsers reconnect streams by themselves, without the header.
    const isByItself =
      request.headers[unattendedHeader] !== undefined || request.routeOptions.url === eventsPath
    // Screens refresh by reading. A change is always shown in the list of sessions.
    const isUnattended = isSafe(request) && isByItself
    if (lastUse) await noteUse(db, sessionId, { ...lastUse, client, isUnattended }, now())
  })
})

/**
 * Sessions that a sign-in has already stored. Storing them again with the response could restore one that a change of the
 * password has since ended.
 */
const opening = new WeakSet<Session>()

/** Clients of current sessions. They are not part of the session, which would be stored whenever it differs. */
const sessionClients = new WeakMap<Session, SessionClient>()

function rememberClient(request: FastifyRequest): SessionClient {
  const client = { address: request.ip, userAgent: request.headers['user-agent'] }
  sessionClients.set(request.session, client)
  return client
}

function callBack<T>(work: Promise<T>, callback: (error: unknown, result?: T | undefined) => void): void {
  work.then(
    (result) => callback(null, result),
    (error: unknown) => callback(error),
  )
}

/** As `kept` wrote it: JSON of the cookie's options, which @fastify/session reads back, dates as text included. */
const restored = ({ data: { userId, csrf, cookie }, lastSeenAt, lastClient }: FoundSession): Session => ({
  lastUse: { lastSeenAt, lastClient },
  ...(typeof userId === 'number' && { userId }),
  ...(typeof csrf === 'string' && { csrf }),
  cookie: cookie as Session['cookie'],
})

/** The session of a signed id without a row, which belongs to a visitor or has ended. */
const visiting = (csrf: string): Session => ({ csrf, cookie: {} as Session['cookie'] })

const kept = (held: Session, userId: number) => ({
  userId,
  client: sessionClients.get(held) ?? null,
  remembered: held.cookie.originalMaxAge != null,
  data: { userId, csrf: held.csrf, cookie: held.cookie },
})

/** Creates the CSRF token of a session if it has none, and sets the cookie that the frontend reads. */
export function issueCsrfToken(request: FastifyRequest, reply: FastifyReply): void {
  const { session: held, server } = request
  held.csrf ??= held.userId === undefined ? server.visitorToken(held.sessionId) : newCsrfToken()
  const { maxAge, secure } = held.cookie
  reply.setCookie(csrfCookie, held.csrf, {
    path: '/',
    sameSite: 'lax',
    secure: secure === true,
    httpOnly: false,
    encode: encodeURIComponent,
    ...(maxAge != null && { maxAge: Math.floor(maxAge / 1000) }),
  })
}

/** Stores a session with a new id, which prevents session fixation. */
export async function startSession(
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
  remember: boolean,
): Promise<void> {
  await request.session.regenerate()
  // A new session inherits the cookie options of the previous one, which may have been remembered.
  if (remember) request.session.options({ maxAge: rememberedSessionMs })
  else Object.assign(request.session.cookie, { originalMaxAge: null, expires: null })
  request.session.userId = userId
  rememberClient(request)
  issueCsrfToken(request, reply)
  const { session: opened } = request
  await new Promise<void>((resolve, reject) =>
    request.sessionStore.set(opened.sessionId, opened, (error) => (error ? reject(error) : resolve())),
  )
  opening.add(opened)
}

/** Ends the session here and in the browser. */
export async function stopSession(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await request.session.destroy()
  reply.clearCookie(sessionCookie, { path: '/' })
  reply.clearCookie(csrfCookie, { path: '/' })
}
