import { staleHeader } from '@kustos/contract/bitbucket'
import { limitisRoutes } from '@kustos/contract/limitis'
import { listEmails, listOwnDomains } from '@kustos/domain/limitis'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export const limitis = (app: FastifyInstance, services: Services): void =>
  bind(app, services, 'limitis', limitisRoutes, {
    listOwnDomains: async (_, { context, reply }) => rowsOf(await listOwnDomains(context), reply),
    listEmails: async (_, { context, reply }) => rowsOf(await listEmails(context), reply),
  })

function rowsOf<Row>(
  { rows, staleFor }: { readonly rows: Row[]; readonly staleFor: number | null },
  reply: FastifyReply,
): Row[] {
  if (staleFor !== null) reply.header(staleHeader, String(staleFor))
  return rows
}
