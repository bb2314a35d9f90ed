import { bitbucketRoutes, staleHeader } from '@kustos/contract/bitbucket'
import { createRepositoryCache } from '@kustos/domain/bitbucket'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export function registerBitbucketRoutes(app: FastifyInstance, services: Services): void {
  const list = createRepositoryCache(services.bitbucket, (error) =>
    app.log.warn({ err: error }, 'the list of repositories was not refreshed'),
  )
  app.addHook('onClose', () => list.close())

  bind(app, services, 'bitbucket', bitbucketRoutes, {
    async listRepositories(_, { context, reply }) {
      const { repositories, staleSeconds } = await list.listRepositories(context)
      if (staleSeconds !== null) reply.header(staleHeader, String(staleSeconds))
      return repositories
    },
  })
}
