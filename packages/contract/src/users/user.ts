import { z } from 'zod'
import { issue } from '../messages/message.ts'
import { id, readVersion, text, time, visibleName } from '../text.ts'
import { userFacts } from './current-user.ts'

/** A row of the user management. `deleted_at` is null for those who may sign in. */
export const user = z.object({ ...userFacts, deleted_at: time.nullable() }).meta({ id: 'User' })
export type User = z.output<typeof user>

export const passwordLength = { min: 12, max: 128 } as const

/** Long rather than intricate, as ASVS 5 (6.2) asks: no rules of composition. Common ones are refused by the server. */
export const newPassword = z
  .string()
  .min(1, { error: issue('password_required'), abort: true })
  .min(passwordLength.min, issue('too_short', { min: passwordLength.min }))
  .max(passwordLength.max, issue('too_long', { max: passwordLength.max }))

const email = text(254)
  .min(1, issue('email_required'))
  .pipe(z.email(issue('email_invalid')))
const name = visibleName(255)

/** By id; whole roles, as users carry them, are taken too. */
const roleIds = z
  .array(z.union([id, z.object({ id }).transform((role) => role.id)]))
  .max(100)
  .transform((ids) => [...new Set(ids)])

export const newUser = z
  .object({
    email,
    name,
    password: newPassword,
    roles: roleIds.pipe(z.array(id).min(1, issue('role_required'))),
    monitoring_mail_subscription: z.boolean().default(false),
  })
  .meta({ id: 'NewUser' })
export type NewUser = z.output<typeof newUser>

/** A user's own data. The password changes only where one is given. */
export const ownSettings = z
  .object({
    email,
    name,
    password: z
      .union([z.literal(''), z.null(), newPassword])
      .transform((value) => (value === '' ? null : value))
      .optional(),
    monitoring_mail_subscription: z.boolean().optional(),
  })
  .meta({ id: 'OwnSettings' })
export type OwnSettings = z.output<typeof ownSettings>

/** What may be changed of a user. `roles` has no effect without the permission to manage users. */
export const userChange = ownSettings
  .extend({ roles: roleIds.optional(), ...readVersion })
  .meta({ id: 'UserChange' })
export type UserChange = z.output<typeof userChange>
