import { authRoutes } from '@kustos/contract/auth'
import {
  confirmPassword,
  endOwnOtherSessions,
  endOwnSession,
  listOwnSessions,
  signIn,
  signOut,
} from '@kustos/domain/auth'
import { requireActor } from '@kustos/domain/platform/context'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'
import { rememberDevice, visitorOf } from '../plugins/device.ts'
import { issueCsrfToken, startSession, stopSession } from '../plugins/session.ts'

export const registerAuthRoutes = (app: FastifyInstance, services: Services): void =>
  bind(app, services, 'auth', authRoutes, {
    async csrfCookie(_, { request, reply }) {
      issueCsrfToken(request, reply)
    },
    async signIn({ body }, { context, request, reply }) {
      const { sessionId, userId: signedIn } = request.session
      const door = {
        replaced: signedIn === undefined ? null : { id: sessionId, userId: signedIn },
        open: (userId: number) => startSession(request, reply, userId, body.remember),
        shut: () => stopSession(request, reply),
      }
      const userId = await signIn(context, body, visitorOf(request), door)
      rememberDevice(request, reply, userId)
    },
    confirmPassword: ({ body }, { context, request }) =>
      confirmPassword(context, body.password, {
        ...visitorOf(request),
        sessionId: request.session.sessionId,
      }),
    async signOut(_, { context, request, reply }) {
      await signOut(context, { id: request.session.sessionId, userId: requireActor(context).id })
      await stopSession(request, reply)
    },
    listSessions: (_, { context, request }) => listOwnSessions(context, request.session.sessionId),
    async endSession({ params }, { context, request, reply }) {
      const isCurrent = await endOwnSession(context, params.id, request.session.sessionId)
      if (isCurrent) await stopSession(request, reply)
    },
    endOtherSessions: (_, { context, request }) => endOwnOtherSessions(context, request.session.sessionId),
  })
