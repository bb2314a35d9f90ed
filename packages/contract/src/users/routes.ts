import { z } from 'zod'
import { noBody, route } from '../route.ts'
import { idParam } from '../text.ts'
import { currentUserRoute } from './current-user.ts'
import { newRole, role, roleChange } from './role.ts'
import { newUser, user, userChange } from './user.ts'

const access = { any: ['view admin panel'] } as const
const byId = z.object({ id: idParam })

export const usersRoutes = {
  currentUser: currentUserRoute,
  listUsers: route({
    method: 'GET',
    path: '/api/users',
    summary: 'Every user, deleted ones among them',
    access,
    status: 200,
    answer: z.object({ data: z.array(user) }),
  }),
  readUser: route({
    method: 'GET',
    path: '/api/users/:id',
    summary: 'One user, deleted or not',
    access,
    params: byId,
    status: 200,
    answer: user,
    errors: [404],
  }),
  createUser: route({
    method: 'POST',
    path: '/api/users',
    summary: 'Adds a user; 403 with error for roles that hold more than the caller',
    access,
    body: newUser,
    status: 201,
    answer: user,
  }),
  editUser: route({
    method: 'PUT',
    path: '/api/users/:id',
    summary:
      "Changes a user: everyone their own name, e-mail, password and mail subscription, who manages users anybody's and their roles. A new password ends the user's other sessions",
    access: 'signed-in',
    params: byId,
    body: userChange,
    status: 204,
    answer: noBody,
    errors: [403, 404, 409],
  }),
  deleteUser: route({
    method: 'DELETE',
    path: '/api/users/:id',
    summary: 'Deletes a user, whose sessions end at once; 409 for oneself and for the last admin',
    access,
    params: byId,
    status: 204,
    answer: noBody,
    errors: [404, 409],
  }),
  restoreUser: route({
    method: 'PUT',
    path: '/api/users/:id/restore',
    summary: 'Brings a deleted user back',
    access,
    params: byId,
    status: 204,
    answer: noBody,
    errors: [404],
  }),
  listRoles: route({
    method: 'GET',
    path: '/api/roles',
    summary: 'Every role with its permissions',
    access,
    status: 200,
    answer: z.array(role),
  }),
  createRole: route({
    method: 'POST',
    path: '/api/roles',
    summary: 'Adds a role; 403 with error for permissions that the caller lacks',
    access,
    body: newRole,
    status: 201,
    answer: role,
  }),
  editRole: route({
    method: 'PUT',
    path: '/api/roles/:id',
    summary: 'Changes a role, for its users from their next request on; 409 for admin',
    access,
    params: byId,
    body: roleChange,
    status: 204,
    answer: noBody,
    errors: [404, 409],
  }),
  deleteRole: route({
    method: 'DELETE',
    path: '/api/roles/:id',
    summary: 'Deletes a role that nobody holds; 409 for admin and for one in use',
    access,
    params: byId,
    status: 204,
    answer: noBody,
    errors: [404, 409],
  }),
} as const
