import { z } from 'zod'
import { noBody, route } from './route.ts'

export const credentialsNotValid = 'Credentials not valid! Try again...'

export const login = z.object({
  email: z
    .string('E-Mail is required')
    .trim()
    .min(1, 'E-Mail is required')
    .max(254)
    .pipe(z.email('E-Mail must be valid')),
  password: z.string('Password is required').min(1, 'Password is required').max(1024),
  remember: z.boolean().default(false),
})

export type Login = z.output<typeof login>

/** Sanctum's flow: fetch the token, send it back decoded in this header with every change. */
export const csrfCookie = 'XSRF-TOKEN'
export const csrfHeader = 'x-xsrf-token'
export const sessionCookie = 'kustos_session'

export const authRoutes = {
  csrfCookie: route({
    method: 'GET',
    path: '/sanctum/csrf-cookie',
    summary: 'Sets the session and the XSRF-TOKEN cookie',
    access: 'public',
    status: 204,
    answer: noBody,
  }),
  signIn: route({
    method: 'POST',
    path: '/api/login',
    summary: 'Signs in',
    access: 'public',
    body: login,
    status: 204,
    answer: noBody,
    errors: [401, 429],
  }),
  signOut: route({
    method: 'POST',
    path: '/api/logout',
    summary: 'Ends the session',
    access: 'signed-in',
    status: 204,
    answer: noBody,
  }),
} as const
