import { z } from 'zod'
import { permissions } from '../permissions.ts'
import { route } from '../route.ts'
import { id, timestamp } from '../text.ts'

export const roleName = z.object({ id, name: z.string() })
export type RoleName = z.output<typeof roleName>

export const userFacts = {
  id,
  email: z.string(),
  name: z.string(),
  monitoring_mail_subscription: z.boolean(),
  /** Mails about the user's own deployments [+]. */
  deployment_mail_subscription: z.boolean(),
  created_at: timestamp,
  updated_at: timestamp,
  roles: z.array(roleName),
}

export const currentUser = z
  .object({ ...userFacts, permissions: z.array(z.enum(permissions)) })
  .meta({ id: 'CurrentUser' })
export type CurrentUser = z.output<typeof currentUser>

/** Apart from the other routes, because the login screen loads no others. */
export const currentUserRoute = route('GET', '/api/users/current', {
  summary: 'The signed-in user with roles and permissions',
  access: 'signed-in',
  response: currentUser,
})
