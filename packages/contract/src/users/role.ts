import { z } from 'zod'
import { permissions } from '../permissions.ts'
import { baseVersion, timestamp, visibleName } from '../text.ts'
import { roleName } from './current-user.ts'

export const role = roleName
  .extend({
    /** All for `admin`. */
    permissions: z.array(z.enum(permissions)),
    /** The number of its users, including deleted ones, because they can be restored [+]. */
    users: z.int(),
    updated_at: timestamp,
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

export const roleChange = newRole.extend(baseVersion).meta({ id: 'RoleChange' })
export type RoleChange = z.output<typeof roleChange>
