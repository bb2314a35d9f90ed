import { bitbucketRoutes, staleHeader } from '@kustos/contract/bitbucket'
import { openRepositoryList } from '@kustos/domain/bitbucket'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'

export function bitbucket(app: FastifyInstance, services: Services): void {
  const list = openRepositoryList(services.bitbucket, (error) =>
    app.log.warn({ err: error }, 'the list of repositories was not refreshed'),
  )
  app.addHook('onClose', () => list.close())

  bind(app, services, 'bitbucket', bitbucketRoutes, {
    async listRepositories(_, { context, reply }) {
      const { repositories, staleFor } = await list.listRepositories(context)
      if (staleFor !== null) reply.header(staleHeader, String(staleFor))
      return repositories
    },
  })
}
