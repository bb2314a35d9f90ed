import { staleHeader } from '@kustos/contract/bitbucket'
import { limitisRoutes } from '@kustos/contract/limitis'
import { listEmails, listOwnDomains } from '@kustos/domain/limitis'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export const registerLimitisRoutes = (app: FastifyInstance, services: Services): void =>
  bind(app, services, 'limitis', limitisRoutes, {
    listOwnDomains: async (_, { context, reply }) => rowsOf(await listOwnDomains(context), reply),
    listEmails: async (_, { context, reply }) => rowsOf(await listEmails(context), reply),
  })

function rowsOf<Row>(
  { rows, staleSeconds }: { readonly rows: Row[]; readonly staleSeconds: number | null },
  reply: FastifyReply,
): Row[] {
  if (staleSeconds !== null) reply.header(staleHeader, String(staleSeconds))
  return rows
}
