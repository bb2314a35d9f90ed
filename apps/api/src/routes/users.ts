import { usersRoutes } from '@kustos/contract/users'
import { requireActor } from '@kustos/domain/platform/context'
import {
  cancelEmailChange,
  confirmEmailChange,
  createRole,
  createUser,
  deleteRole,
  deleteUser,
  editRole,
  editUser,
  endUserSessions,
  listRoles,
  listUsers,
  readEmailChange,
  readUser,
  restoreUser,
} from '@kustos/domain/users'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'
import { visitorOf } from '../plugins/device.ts'

export const registerUserRoutes = (app: FastifyInstance, services: Services): void =>
  bind(app, services, 'users', usersRoutes, {
    currentUser: async (_, { context }) => requireActor(context),
    readEmailChange: (_, { context }) => readEmailChange(context),
    confirmEmailChange: ({ body }, { context }) => confirmEmailChange(context, body.token),
    cancelEmailChange: (_, { context }) => cancelEmailChange(context),
    listUsers: (_, { context }) => listUsers(context),
    readUser: ({ params }, { context }) => readUser(context, params.id),
    createUser: ({ body }, { context }) => createUser(context, body),
    editUser: ({ params, body }, { context, request }) =>
      editUser(context, params.id, body, { ...visitorOf(request), sessionId: request.session.sessionId }),
    deleteUser: ({ params }, { context }) => deleteUser(context, params.id),
    endUserSessions: ({ params }, { context }) => endUserSessions(context, params.id),
    restoreUser: ({ params }, { context }) => restoreUser(context, params.id),
    listRoles: (_, { context }) => listRoles(context),
    createRole: ({ body }, { context }) => createRole(context, body),
    editRole: ({ params, body }, { context }) => editRole(context, params.id, body),
    deleteRole: ({ params }, { context }) => deleteRole(context, params.id),
  })
