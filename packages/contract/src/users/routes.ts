import { z } from 'zod'
import { route } from '../route.ts'
import { currentUserRoute } from './current-user.ts'
import { emailChangeRoutes } from './email-change.ts'
import { newRole, role, roleChange } from './role.ts'
import { newUser, user, userChange } from './user.ts'

const access = { any: ['view admin panel'] } as const
const confirmation = 'required'

export const usersRoutes = {
  currentUser: currentUserRoute,
  ...emailChangeRoutes,
  listUsers: route('GET', '/api/users', {
    summary: 'All users, including deleted ones',
    access,
    response: z.object({ data: z.array(user) }),
  }),
  readUser: route('GET', '/api/users/:id', {
    summary: 'One user, including deleted ones',
    access,
    response: user,
  }),
  createUser: route('POST', '/api/users', {
    summary: 'Creates a user. 403 if a role grants permissions that the caller does not have.',
    access,
    confirmation,
    body: newUser,
    status: 201,
    response: user,
  }),
  editUser: route('PUT', '/api/users/:id', {
    summary:
      "Updates a user. All users can change their own name, e-mail, password and mail subscription; `view admin panel` allows changing any user, including roles. One's own e-mail and password need `current_password`, changes of other users and of roles a confirmed password. A new password ends the user's other sessions.",
    access: 'signed-in',
    confirmation: 'conditional',
    body: userChange,
    errors: [403, 409, 429],
  }),
  deleteUser: route('DELETE', '/api/users/:id', {
    summary: 'Deletes a user and ends their sessions. 409 for the caller and for the last admin.',
    access,
    confirmation,
    errors: [409],
  }),
  endUserSessions: route('DELETE', '/api/users/:id/sessions', {
    summary: 'Ends all sessions of another user, who can sign in again. 409 for the caller.',
    access,
    confirmation,
    errors: [409],
  }),
  restoreUser: route('PUT', '/api/users/:id/restore', {
    summary: 'Restores a deleted user',
    access,
    confirmation,
  }),
  listRoles: route('GET', '/api/roles', {
    summary: 'All roles with their permissions',
    access,
    response: z.array(role),
  }),
  createRole: route('POST', '/api/roles', {
    summary: 'Creates a role. 403 if it has permissions that the caller does not have.',
    access,
    confirmation,
    body: newRole,
    status: 201,
    response: role,
  }),
  editRole: route('PUT', '/api/roles/:id', {
    summary: 'Updates a role. Takes effect with the next request of its users. 409 for `admin`.',
    access,
    confirmation,
    body: roleChange,
    errors: [409],
  }),
  deleteRole: route('DELETE', '/api/roles/:id', {
    summary: 'Deletes a role. 409 for `admin` and for roles in use.',
    access,
    confirmation,
    errors: [409],
  }),
} as const
