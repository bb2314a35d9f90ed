import { authRoutes } from '@kustos/contract/auth'
import { signIn, signOut } from '@kustos/domain/auth'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'
import { issueCsrfToken, startSession, stopSession } from '../plugins/session.ts'

export const auth = (app: FastifyInstance, services: Services): void =>
  bind(app, services, 'auth', authRoutes, {
    async csrfCookie(_, { request, reply }) {
      issueCsrfToken(request, reply)
    },
    async signIn({ body }, { context, request, reply }) {
      const userId = await signIn(context, body, request.ip)
      await startSession(request, reply, userId, body.remember)
    },
    async signOut(_, { context, request, reply }) {
      await signOut(context, request.session.sessionId)
      await stopSession(request, reply)
    },
  })
