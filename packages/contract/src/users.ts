import { z } from 'zod'
import { permissions } from './permissions.ts'
import { noBody, route } from './route.ts'
import { id, idParam, text, time } from './text.ts'

export const role = z.object({ id, name: z.string() })
export type Role = z.output<typeof role>

export const currentUser = z
  .object({
    id,
    email: z.string(),
    name: z.string(),
    monitoring_mail_subscription: z.boolean(),
    created_at: time,
    updated_at: time,
    roles: z.array(role),
    permissions: z.array(z.enum(permissions)),
  })
  .meta({ id: 'CurrentUser' })

export type CurrentUser = z.output<typeof currentUser>

export const passwordLength = { min: 12, max: 128 } as const

/** Long rather than intricate, as ASVS 5 (6.2) asks: no rules of composition. */
export const newPassword = z
  .string()
  .min(passwordLength.min, `Must have at least ${passwordLength.min} characters`)
  .max(passwordLength.max, `Can't be longer than ${passwordLength.max} characters`)

/** A user's own data. The password changes only where one is given. */
export const ownSettings = z
  .object({
    email: text(254).pipe(z.email('E-Mail must be valid')),
    name: text(255).min(1, 'Name is required'),
    password: z
      .union([z.literal(''), z.null(), newPassword])
      .transform((value) => (value === '' ? null : value))
      .optional(),
    monitoring_mail_subscription: z.boolean().optional(),
  })
  .meta({ id: 'OwnSettings' })

export type OwnSettings = z.output<typeof ownSettings>

export const usersRoutes = {
  currentUser: route({
    method: 'GET',
    path: '/api/users/current',
    summary: 'The signed-in user with roles and permissions',
    access: 'signed-in',
    status: 200,
    answer: currentUser,
  }),
  editUser: route({
    method: 'PUT',
    path: '/api/users/:id',
    summary: 'Changes the own name, e-mail, password and mail subscription',
    access: 'signed-in',
    params: z.object({ id: idParam }),
    body: ownSettings,
    status: 204,
    answer: noBody,
    errors: [403, 404],
  }),
} as const
