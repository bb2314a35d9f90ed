import { z } from 'zod'
import { issue } from './messages/message.ts'
import { route } from './route.ts'
import { id, time } from './text.ts'

export const login = z.object({
  email: z
    .string(issue('email_required'))
    .trim()
    .min(1, issue('email_required'))
    .max(254)
    .pipe(z.email(issue('email_invalid'))),
  password: z.string(issue('password_required')).min(1, issue('password_required')).max(1024),
  remember: z.boolean().default(false),
})

export type Login = z.output<typeof login>

/** Sanctum's flow: fetch the token, send it back decoded in this header with every change. */
export const csrfCookie = 'XSRF-TOKEN'
export const csrfHeader = 'x-xsrf-token'
/**
 * On what a screen asks for by itself while nobody sits before it (any value) [+]: it keeps no session alive, or an open
 * window would never be idle.
 */
export const unattendedHeader = 'x-kustos-unattended'
export const sessionCookie = 'kustos_session'

/** One of the user's own sessions [+]. */
export const ownSession = z
  .object({
    id,
    /** The one that asks. */
    is_current: z.boolean(),
    /** Lasts until `expires_at`, used or not. */
    remembered: z.boolean(),
    /** Where it was last used from: the address, and the browser as it calls itself; null where that is unknown. */
    address: z.string().nullable(),
    user_agent: z.string().nullable(),
    /** When it was signed in. */
    created_at: time,
    /** To the minute. */
    last_seen_at: time,
    expires_at: time,
  })
  .meta({ id: 'OwnSession' })
export type OwnSession = z.output<typeof ownSession>

export const authRoutes = {
  csrfCookie: route('GET', '/sanctum/csrf-cookie', {
    summary: 'Sets the session and the XSRF-TOKEN cookie',
    access: 'public',
  }),
  signIn: route('POST', '/api/login', {
    summary: 'Signs in',
    access: 'public',
    body: login,
    errors: [401, 429],
  }),
  signOut: route('POST', '/api/logout', { summary: 'Ends the session', access: 'signed-in' }),
  listSessions: route('GET', '/api/sessions', {
    summary: "The user's sessions, most recently used first",
    access: 'signed-in',
    answer: z.array(ownSession),
  }),
  endSession: route('DELETE', '/api/sessions/:id', {
    summary: "Ends one of the user's sessions. 404 for sessions of other users.",
    access: 'signed-in',
  }),
  endOtherSessions: route('DELETE', '/api/sessions', {
    summary: "Ends all of the user's sessions except the current one",
    access: 'signed-in',
  }),
} as const
