import { z } from 'zod'
import { permissions } from '../permissions.ts'
import { time, visibleName } from '../text.ts'
import { roleName } from './current-user.ts'

export const role = roleName
  .extend({
    /** Every name for `admin`. */
    permissions: z.array(z.enum(permissions)),
    /** How many users hold it, deleted ones among them: they can be restored [+]. */
    users: z.int(),
    updated_at: time,
  })
  .meta({ id: 'Role' })
export type Role = z.output<typeof role>

export const newRole = z
  .object({
    name: visibleName(60),
    permissions: z
      .array(z.enum(permissions))
      .transform((names) => permissions.filter((one) => names.includes(one))),
  })
  .meta({ id: 'NewRole' })
export type NewRole = z.output<typeof newRole>

export const roleChange = newRole
  .extend({
    /** As it was read: a role that somebody has changed since is left alone (409). */
    updated_at: time.optional(),
  })
  .meta({ id: 'RoleChange' })
export type RoleChange = z.output<typeof roleChange>

/** Why a change of users or roles is refused; each is the answer's `error`. */
export const userTexts = {
  taken: 'This e-mail is taken already',
  takenByDeleted: 'This e-mail is that of a deleted user, who can be restored',
  common: 'This password is among the most common ones',
  self: 'You cannot delete yourself.',
  lastAdmin: 'The last admin cannot be deleted or lose the role.',
  beyond: 'You cannot grant or change what you are not permitted yourself.',
  roleTaken: 'There is a role with this name already',
  adminFixed: 'The role admin is fixed.',
  roleInUse: 'This role is in use: take it from its users first.',
  lastRole: 'A user needs a role',
} as const
