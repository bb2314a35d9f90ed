import { z } from 'zod'
import { defineGrid, tonedOptions } from '../grid/columns.ts'
import { issue } from '../messages/message.ts'
import { baseVersion, id, text, timestamp, visibleName } from '../text.ts'
import { userFacts } from './current-user.ts'

export const user = z.object({ ...userFacts, deleted_at: timestamp.nullable() }).meta({ id: 'User' })
export type User = z.output<typeof user>

export const passwordLength = { min: 12, max: 128 } as const

/** No composition rules, as ASVS 5 (6.2) demands. The server rejects common passwords. */
export const newPassword = z
  .string()
  .min(1, { error: issue('password_required'), abort: true })
  .min(passwordLength.min, issue('too_short', { min: passwordLength.min }))
  .max(passwordLength.max, issue('too_long', { max: passwordLength.max }))

const email = text(254)
  .min(1, issue('email_required'))
  .pipe(z.email(issue('email_invalid')))
const name = visibleName(255)

/** Ids, or roles as in the response of a user. */
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

/** A user's own data. Without a password it stays the same. */
export const ownSettings = z
  .object({
    email,
    name,
    password: z
      .union([z.literal(''), z.null(), newPassword])
      .transform((value) => (value === '' ? null : value))
      .optional(),
    /** To change one's own e-mail or password [+]. */
    current_password: z.string().max(1024).optional(),
    monitoring_mail_subscription: z.boolean().optional(),
    deployment_mail_subscription: z.boolean().optional(),
  })
  .meta({ id: 'OwnSettings' })
export type OwnSettings = z.output<typeof ownSettings>

/** `roles` has no effect without the permission to manage users. */
export const userChange = ownSettings
  .extend({ roles: roleIds.optional(), ...baseVersion })
  .meta({ id: 'UserChange' })
export type UserChange = z.output<typeof userChange>

export const userColumns = defineGrid<User>({
  name: 'users',
  primaryColumns: ['email', 'state', 'name'],
  columns: [
    { key: 'id', kind: 'number', width: 72 },
    { key: 'email', kind: 'text', width: 240 },
    { key: 'name', kind: 'text', width: 165 },
    { key: 'roles', kind: 'tags', width: 230, value: (user) => user.roles.map((role) => role.name) },
    {
      key: 'state',
      kind: 'status',
      width: 112,
      options: tonedOptions({ active: 'green', deleted: 'grey' }),
      value: (user) => (user.deleted_at === null ? 'active' : 'deleted'),
    },
    { key: 'created_at', kind: 'date', width: 160 },
    { key: 'updated_at', kind: 'date', width: 160 },
  ],
})
