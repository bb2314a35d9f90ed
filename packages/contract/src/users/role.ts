import { z } from 'zod'
import { permissions } from '../permissions.ts'
import { readVersion, time, visibleName } from '../text.ts'
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

export const roleChange = newRole.extend(readVersion).meta({ id: 'RoleChange' })
export type RoleChange = z.output<typeof roleChange>
