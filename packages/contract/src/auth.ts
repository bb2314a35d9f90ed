import { z } from 'zod'
import { issue } from './messages/message.ts'
import { confirmationMinutes, route } from './route.ts'
import { id, timestamp } from './text.ts'

const password = z.string(issue('password_required')).min(1, issue('password_required')).max(1024)

export const login = z.object({
  email: z
    .string(issue('email_required'))
    .trim()
    .min(1, issue('email_required'))
    .max(254)
    .pipe(z.email(issue('email_invalid'))),
  password,
  remember: z.boolean().default(false),
})

export type Login = z.output<typeof login>

/** The password of the user who is signed in [+]. */
export const passwordConfirmation = z.object({ password })

/** As in Laravel Sanctum: every change sends the cookie's value, decoded, in the header. */
export const csrfCookie = 'XSRF-TOKEN'
export const csrfHeader = 'x-xsrf-token'
/** Marks reads without user activity (any value) [+], so that an open tab does not keep its session alive. */
export const unattendedHeader = 'x-kustos-unattended'
/** Behind HTTPS its name has the prefix `__Host-` [+], as has the device cookie's. */
export const sessionCookie = 'kustos_session'
/** Tells browsers in which a user has signed in before from those of strangers [+]. Outlives the session. */
export const deviceCookie = 'kustos_device'

/** One of the user's own sessions [+]. */
export const ownSession = z
  .object({
    id,
    /** Whether it is the session of this request. */
    is_current: z.boolean(),
    /** Whether it lasts until `expires_at` even if unused. */
    remembered: z.boolean(),
    /** `address` and `user_agent` are those of its last request; null if unknown. */
    address: z.string().nullable(),
    user_agent: z.string().nullable(),
    created_at: timestamp,
    /** Rounded to the minute. */
    last_seen_at: timestamp,
    expires_at: timestamp,
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
  confirmPassword: route('POST', '/api/confirmPassword', {
    summary: `Confirms the password of the session, which calls that answer 423 need for the next ${confirmationMinutes} minutes`,
    access: 'signed-in',
    body: passwordConfirmation,
    errors: [429],
  }),
  listSessions: route('GET', '/api/sessions', {
    summary: "The user's sessions, most recently used first",
    access: 'signed-in',
    response: z.array(ownSession),
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
